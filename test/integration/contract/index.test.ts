import { expect } from 'chai';
import request from 'supertest';
import { urlOf } from '../../support/contract/interface.js';
import { type Contract, sharedContract } from '../../support/contract/contract.js';

interface Entry {
  path: string;
  summary: string;
  parameters: string[];
}

describe('GET /api/v1', () => {
  let contract: Contract;

  before(async () => {
    contract = await sharedContract();
  });

  for (const path of ['/api/v1', '/api/v1/']) {
    it(`given ${path}, then it lists every URL of the API with its parameters, as the document has them`, async () => {
      const { data, metadata } = await contract.ok<Entry[]>(path);
      const documented = Object.entries(contract.document.paths)
        .filter(([each]) => each !== '/api/v1' && each !== '/api/v1/health')
        .map(([each, item]) => ({
          path: each,
          parameters: (item.get?.parameters ?? []).filter((of) => of.in === 'query').map(({ name }) => name),
        }));
      for (const { path: each, parameters } of documented) {
        const entry = data.find((of) => of.path === each);
        expect(entry?.parameters, each).to.have.members(parameters);
      }
      expect(data).to.have.lengthOf(documented.length);
      expect(metadata).to.include({ documentation: '/docs', openapi: '/openapi.json' });
      expect(metadata.generated_at).to.be.a('string');
    });
  }

  it('given its URLs, when each is asked for, then it is there', async () => {
    const { data } = await contract.ok<Entry[]>('/api/v1');
    for (const { path } of data) {
      expect((await contract.get(urlOf(path))).status, path).to.equal(200);
    }
  });

  it('given format=csv, then it is a table', async () => {
    const { text, headers } = await contract.get('/api/v1?format=csv');
    expect(headers['content-disposition']).to.equal('attachment; filename="endpoints.csv"');
    expect(text.split('\r\n')[0]).to.equal('path,summary,parameters');
    expect(text).to.include('/api/v1/export/pairs,');
  });

  it('given no key, then it is a 401', async () => {
    expect((await request(contract.service.app).get('/api/v1')).status).to.equal(401);
  });
});
