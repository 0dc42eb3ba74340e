import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import ts from 'typescript';
import { itInCi } from '../support/runner/range.js';
import { temporaryFolder } from '../support/store.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The code of a user of the client; each line is a mistake only where it says so. */
const USE = `
import { getAccuracyByDateOfStation, getAccuracySummary, type SampleRecord, type Stats } from './client.js';

const { success, data, metadata } = await getAccuracySummary({ query: { city: 'Chicago', days: 30 } });
const yes: true = success;
const stats: Stats = data;
const mae: number | null = data.mae;
const station: string = metadata.station_id;
await getAccuracyByDateOfStation({ path: { station_id: 'KORD' }, query: { metric: 'low' } });
export const bucket = (sample: SampleRecord): 'same-day' | '0-6h' | '6-12h' | '12-24h' | '24-48h' | '48-72h' | '72h+' =>
  sample.lead_time_bucket;
console.log(yes, stats, mae, station);
// @ts-expect-error: without pairs it is null
const number: number = data.mae;
// @ts-expect-error: a metric that there is not
await getAccuracySummary({ query: { metric: 'visibility' } });
console.log(number);
`;

describe('a client that is generated from openapi.json', function () {
  itInCi(
    'given TypeScript, then it compiles under strict, and its types are those of the answers',
    async () => {
      const folder = temporaryFolder();
      const client = join(folder, 'client.ts');
      await promisify(execFile)(
        process.execPath,
        [
          join(ROOT, 'node_modules/@redocly/cli/bin/cli.js'),
          ...['generate-client', join(ROOT, 'openapi.json'), '-o', client, '--generator', 'typescript'],
        ],
        { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
      );
      const use = join(folder, 'use.mts');
      writeFileSync(use, USE);
      const program = ts.createProgram([use], {
        strict: true,
        noEmit: true,
        target: ts.ScriptTarget.ES2023,
        module: ts.ModuleKind.NodeNext,
        lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
        types: [],
      });
      const faults = ts.getPreEmitDiagnostics(program).map(({ messageText, file, start = 0 }) => {
        const line =
          file === undefined ? '' : `${file.fileName}:${file.getLineAndCharacterOfPosition(start).line + 1} `;
        return `${line}${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
      });
      expect(faults).to.deep.equal([]);
    },
  );
});
