import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_SETS } from '../../support/snapshots/data.js';
import { takeSnapshots, listOperations } from '../../support/snapshots/snapshots.js';
import { requestsOf } from '../../support/snapshots/requests.js';
import { itInCi } from '../../support/runner/range.js';
import { temporaryFolder } from '../../support/store.js';

const [sample] = DATA_SETS;

describe('npm run snapshots', () => {
  it('given any endpoint, then it has requests with each of its parameters, and names one without a sample', () => {
    for (const [path, { parameters = [] }] of listOperations([])) {
      const requests = requestsOf(path, parameters, sample!).map((url) => new URL(url, 'http://localhost'));
      const given = new Set(requests.flatMap(({ searchParams }) => [...searchParams.keys()]));
      const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
      expect([...given], path).to.have.members(query);
    }
    const other = { name: 'moon_phase', in: 'query', schema: { type: 'string' } };
    expect(() => requestsOf('/api/v1/loads', [other], sample!)).to.throw(
      '/api/v1/loads: no sample of moon_phase',
    );
  });

  itInCi(
    'given its sample, when it runs over a few endpoints, then each has a file with its responses',
    async function () {
      const folder = temporaryFolder();
      const prefixes = ['/api/v1/stations/metadata', '/api/v1/data/hours', '/api/v1/providers'];
      const statuses = await takeSnapshots(sample!, folder, prefixes);
      expect([...statuses.keys()].sort()).to.deep.equal([200, 400, 404]);
      const lines = readdirSync(folder).flatMap((file) =>
        readFileSync(join(folder, file), 'utf8').trimEnd().split('\n'),
      );
      expect(lines).to.have.length([...statuses.values()].reduce((sum, count) => sum + count, 0));
      // Hours of the day that has begun, and a provider that says quantiles in °C.
      const [begun = ''] = lines.filter((line) =>
        line.startsWith('GET /api/v1/data/hours?station_id=KORD -> 200'),
      );
      expect(begun).to.include('"at":"2025-10-05T18:53:00Z"');
      expect(lines.find((line) => line.startsWith('GET /api/v1/providers? -> 200'))).to.include(
        'made-up-celsius',
      );
      const taking = takeSnapshots(sample!, folder, ['/api/v1/moon']);
      expect(await taking.catch((error: Error) => error.message)).to.equal(
        '/api/v1/moon: no path begins with this',
      );
    },
  );
});
