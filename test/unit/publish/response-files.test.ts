import { join } from 'node:path';
import { expect } from 'chai';
import { escapeName, fileOf } from '../../../public/dashboard/published.js';
import { CopyFolder } from '../../../src/publish/copy-folder.js';
import type { LocalResponse } from '../../../src/publish/local-service.js';
import { copyData } from '../../../src/publish/publish.js';
import { ResponseFiles } from '../../../src/publish/response-files.js';
import { temporaryFolder } from '../../support/store.js';

// Guards that a copy is of one version and asks for nothing twice, with a service that does what a test wants.

const page = { fileOf, escapeName, askForView: () => Promise.resolve() };

describe('the responses of a copy', () => {
  let folder: CopyFolder;
  let asked: string[];
  let version: number;
  /** The version of the data from a request on. */
  let loads: Record<number, number>;
  let errors: Record<string, LocalResponse>;

  beforeEach(async () => {
    folder = await CopyFolder.open(join(temporaryFolder(), 'copy'), new Date('2026-11-27T21:15:00Z'));
    [asked, version, loads, errors] = [[], 7, {}, {}];
  });

  const respond = (path: string): LocalResponse => {
    asked.push(path.replace('/api/v1/', ''));
    version = loads[asked.length] ?? version;
    const metadata = { data_version: version, timeline: 'k7q2' };
    const body = { data: [version], ...(!path.includes('stations') && { metadata }) };
    return errors[path] ?? { status: 200, etag: '"t"', body: Buffer.from(JSON.stringify(body)) };
  };
  const makeFiles = (maxFiles = 100): ResponseFiles =>
    new ResponseFiles((path) => Promise.resolve(respond(path)), page, folder, { maxFiles });
  const read = async (file: string): Promise<unknown> =>
    (JSON.parse(await folder.read(file)) as { data: unknown }).data;

  it('given two panels that ask for the same, then the service is asked once, without blank parameters', async () => {
    const files = makeFiles();
    await Promise.all([files.get('providers', { city: '' }), files.get('providers')]);
    await files.get('providers');
    expect(asked).to.deep.equal(['providers?']);
    expect(await files.areOfOneVersion()).to.equal(true);
    expect(files).to.include({ version: 7, timeline: 'k7q2' });
  });

  it('given a load between two responses, then those before it are asked for again, version or not', async () => {
    const files = makeFiles();
    loads = { 3: 8 };
    const all = async (): Promise<void> => {
      for (const path of ['stations/metadata', 'accuracy/by-date', 'accuracy/summary']) await files.get(path);
    };
    await all();
    expect(await files.areOfOneVersion()).to.equal(false);
    asked = [];
    await all();
    expect(asked).to.deep.equal(['stations/metadata?', 'accuracy/by-date?']);
    expect(await files.areOfOneVersion()).to.equal(true);
    expect(await read('responses/accuracy/by-date/all.json')).to.deep.equal([8]);
  });

  it('given a load after the last response, then it is found as well, by a request that is no file', async () => {
    const files = makeFiles();
    await files.get('accuracy/by-date');
    loads = { 2: 8 };
    expect(await files.areOfOneVersion()).to.equal(false);
    expect(asked.at(-1)).to.equal('accuracy/summary?days=1');
  });

  it('given an error that a view shows, then it is a file, without the time and id of its request', async () => {
    const error = { code: 'INVALID_PARAMETER', message: 'metric: has no probabilities' };
    const body = Buffer.from(JSON.stringify({ success: false, error, metadata: { request_id: 'r1' } }));
    errors['/api/v1/probability/reliability?'] = { status: 400, etag: '', body };
    const files = makeFiles();
    const failed = await files.get('probability/reliability').catch((error: Error) => error);
    expect(failed).to.include(error);
    files.throwIfFailed();
    const file = 'responses/probability/reliability/all.json';
    expect(JSON.parse(await folder.read(file))).to.deep.equal({ success: false, error });
  });

  it('given a summary with an error, one of the service, or too many files, then the copy fails', async () => {
    const details = [
      { parameter: 'days', message: 'must be at most 365; use date_from and date_to for a longer window' },
      { parameter: 'metric', message: 'must be one of high' },
    ];
    const error = { code: 'INVALID_PARAMETER', message: '2 errors', details };
    errors['/api/v1/accuracy/summary?days=400'] = {
      status: 400,
      etag: '',
      body: Buffer.from(JSON.stringify({ error })),
    };
    errors['/api/v1/providers?'] = { status: 503, etag: '', body: Buffer.from('{}') };
    const cases: [ResponseFiles, string, Record<string, string>, string][] = [
      [
        makeFiles(),
        'accuracy/summary',
        { days: '400' },
        '--days: must be at most 365; --metrics: must be one of high',
      ],
      [makeFiles(), 'providers', {}, 'providers?: the service answered with status 503'],
      [makeFiles(0), 'accuracy/by-date', {}, 'this copy has more than 0 files; name fewer --stations'],
    ];
    for (const [files, path, given, message] of cases) {
      await files.get(path, given).catch(() => {}); // as a panel does
      expect(() => files.throwIfFailed()).to.throw(message);
    }
  });
});

describe('data that do not stay as they are', () => {
  it('given a load within each of three tries, then it ends with a message; given one, then it goes on', async () => {
    let tries = 0;
    const offers = { metric: ['high'], days: ['90'], provider: ['gfs'], units: [], station_id: [] };
    const copyWith = (changes: number) => {
      const files = {
        ...{ throwIfFailed: () => {}, write: () => Promise.resolve() },
        ...{
          summaries: new Map([['first.json', {}]]),
          areOfOneVersion: () => Promise.resolve((tries += 1) > changes),
        },
      };
      return copyData(files as unknown as ResponseFiles, page, offers, { pairs: false });
    };
    expect(await copyWith(2)).to.equal('first.json');
    tries = 0;
    const failed = await copyWith(3).catch((error: Error) => error.message);
    expect(failed).to.equal('the data changed 3 times while they were copied; publish between loads');
    expect(tries).to.equal(3);
  });
});
