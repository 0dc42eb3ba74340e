import { expect } from 'chai';
import { WINDOW } from '../../support/contract/data.js';
import { type Contract, sharedContract } from '../../support/contract/contract.js';
import { Listening } from '../../support/listen.js';

const CITIES = `/api/v1/accuracy/by-city?${WINDOW}`;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

describe('bom=true', function () {
  let contract: Contract;
  let server: Listening;

  before(async () => {
    contract = await sharedContract();
    server = await Listening.start(contract.service);
  });
  after(() => server.stop());

  it('given format=csv, then the same CSV comes behind a byte order mark, with a tag of its own', async () => {
    const plain = await server.download(`${CITIES}&format=csv`);
    const marked = await server.download(`${CITIES}&format=csv&bom=true`);
    expect(plain.body.subarray(0, 3).equals(BOM)).to.be.false;
    expect(marked.body.equals(Buffer.concat([BOM, plain.body]))).to.be.true;
    expect(marked.headers.etag).not.to.equal(plain.headers.etag);
    const { headers } = await server.download(`${CITIES}&format=csv&bom=false`);
    expect(headers.etag).to.equal(plain.headers.etag);
  });

  it('given CSV by the Accept header, then it counts as well', async () => {
    const { body } = await server.download(`${CITIES}&bom=true`, { Accept: 'text/csv' });
    expect(body.subarray(0, 3).equals(BOM)).to.be.true;
  });

  it('given JSON, then it is a fault, as it would change nothing', async () => {
    for (const path of [`${CITIES}&bom=true`, `${CITIES}&format=json&bom=true`]) {
      expect(await contract.faults(path)).to.deep.equal([{ parameter: 'bom', message: 'needs format=csv' }]);
    }
    const faults = await contract.faults(`${CITIES}&format=xml&bom=true`);
    expect(faults.map(({ parameter }) => parameter)).to.deep.equal(['format']);
  });
});
