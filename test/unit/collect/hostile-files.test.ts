import { expect } from 'chai';
import { LIMITS } from '../../../src/collect/files/answers.js';
import { toSource } from '../../../src/collect/files/file-source.js';
import { parseSourceFile } from '../../../src/collect/files/source-file.js';
import { toCell } from '../../../src/collect/feed-cells.js';
import { GapError, type Reading } from '../../../src/collect/source.js';
import { DAY_MS } from '../../../src/statistics/time/calendar.js';
import { UserError } from '../../../src/lib/user-error.js';
import { mutatedBody } from '../../support/collect/fixtures.js';
import { EGLL } from '../../support/collect/world.js';
import { Random } from '../../support/random.js';
import { itInCi, range } from '../../support/runner/range.js';

// Source files and responses that somebody else has written, or damaged. A generated set: 300 in `make ci`.

const NOW = Date.parse('2026-11-10T12:00:00Z');
const FILE = `name: own
attribution: My garden
kind: hours
url: https://api.example.org/v1?lat={latitude}&from={from:X}&k={key:OWN_KEY}
headers: { Authorization: "Bearer {key:OWN_KEY}" }
zone: station
checks: { it is of a moon: planet = "earth" }
rows: list
columns:
  at: time
  temp_c: $round(t, 1)
  wind_kt: w
days: { high_c: { max: t }, low_c: { min: t } }
`;
const BODY = JSON.stringify({
  planet: 'earth',
  list: Array.from({ length: 30 }, (_, at) => ({
    time: new Date(NOW - DAY_MS - at * 3_600_000).toISOString().slice(0, 16),
    t: at / 4,
    w: at,
  })),
});

/** Reads a response by a file: undefined where one of the two is refused, in one line. */
async function readBoth(file: string, body: string): Promise<Reading | undefined> {
  try {
    const source = toSource(parseSourceFile(file, 'own.yaml'));
    const need = { place: EGLL, span: { from_ms: NOW - 5 * DAY_MS, to_ms: NOW } };
    const [request] = source.plan([need], NOW);
    return request && (await source.read([body], request));
  } catch (error) {
    expect(error, file + body.slice(0, 500)).to.satisfy(
      (one: unknown) => one instanceof UserError || one instanceof GapError,
    );
    const { message } = error as Error;
    expect(message).to.match(/^.{1,400}$/);
    if (error instanceof UserError) expect(message).to.match(/^own\.yaml:\d+: /);
    return undefined;
  }
}

/** Whether a load takes each row. */
function expectLegal(reading: Reading | undefined, of: string): void {
  for (const row of [...(reading?.rows ?? []), ...(reading?.observations ?? [])])
    for (const [column, cell] of Object.entries(row))
      if (/_(c|f|kt)$/.test(column) && cell !== '')
        expect(toCell(column, cell), `${column} ${of}`).to.equal(cell);
  for (const { unit, reason } of reading?.unusable ?? []) expect(`${unit} ${reason}`).to.match(/^.{1,400}$/);
}

describe('a source file of somebody else', () => {
  it('given random damage, then it is refused in a line that names its own, or it is read', async () => {
    const random = new Random(20_261_129);
    let read = 0;
    for (let run = 0; run < range({ test: 30, ci: 150, stress: 3000 }); run += 1) {
      const file = mutatedBody(FILE, random);
      const reading = await readBoth(file, BODY);
      expectLegal(reading, file);
      read += reading === undefined ? 0 : 1;
    }
    expect(read, 'not all is refused').to.be.above(3);
  });

  it('given a response with random damage, then its rows are legal, or it is a gap', async () => {
    const random = new Random(7);
    let read = 0;
    for (let run = 0; run < range({ test: 30, ci: 130, stress: 3000 }); run += 1) {
      const body = mutatedBody(BODY, random);
      const reading = await readBoth(FILE, body);
      expectLegal(reading, body);
      read += reading?.rows.length ?? 0;
    }
    expect(read, 'not all is refused').to.be.above(3);
  });

  const nested = (open: string, close: string): string => open.repeat(200_000) + close.repeat(200_000);
  for (const [what, body] of [
    ['lists that nest 200,000 deep', nested('[', ']')],
    ['objects that nest 200,000 deep', `${'{"list":'.repeat(200_000)}1${'}'.repeat(200_000)}`],
    [
      '__proto__ for each of its fields',
      '{"__proto__":{"planet":"earth","list":[]},"constructor":{"prototype":{}}}',
    ],
    [
      'rows that are texts, lists and null',
      '{"planet":"earth","list":["x",[[1]],null,{"time":{}},{"time":[],"t":"toString"}]}',
    ],
    ['a page', '<!DOCTYPE html><html><body>Sign in</body></html>'],
    ['nothing', ''],
  ] as const)
    it(`given a response with ${what}, then it has no rows, and nothing else of this program changes`, async () => {
      const reading = await readBoth(FILE, body);
      expect(reading?.rows ?? []).to.be.empty;
      expect(({} as { planet?: string }).planet).to.equal(undefined);
    });

  // A function that takes each of them as an argument throws RangeError.
  itInCi('given 150,000 hours of 17 years, then each day is made of its own', async () => {
    const list = Array.from({ length: 150_000 }, (_, at) => ({
      time: new Date(NOW - at * 3_600_000).toISOString(),
      t: at % 24,
    }));
    const reading = await readBoth(FILE, JSON.stringify({ planet: 'earth', list }));
    expect(reading?.observations).to.have.length(6249);
  });

  itInCi('given a response of 50 MB, then it is a gap or rows, as any other', async () => {
    const reading = await readBoth(FILE, BODY.replace('"list":[', `"list":[${'{"x":1},'.repeat(6_500_000)}`));
    expect(reading).to.equal(undefined);
  });

  describe('that does not end', () => {
    const { maxMs } = LIMITS;
    before(() => (LIMITS.maxMs = 400));
    after(() => (LIMITS.maxMs = maxMs));
    // A regular expression and a native function are what JSONata itself cannot bound.
    for (const expression of range({ test: 2, ci: Infinity }, [
      '($f := function($x) { $f($x + 1) }; $f(1))',
      '$contains("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", /^(a+)+$/)',
      '($f := function($x) { $f($x) + $f($x) }; $f(1))',
      '$map([1..9999999], function($v) { $string($v) & $string($v) })',
      '$reduce([1..9999999], function($a, $b) { $a & "x" & $b })',
      '$pad("x", 1000000000)',
      '$sort([1..5000000], function($a, $b) { $a < $b })',
      '[1..9999999].([1..9999999])',
    ]))
      it(`given ${expression.slice(0, 40)}, then it is ended, and the next file is read`, async () => {
        expect(await readBoth(FILE.replace('rows: list', `rows: '${expression}'`), BODY)).to.satisfy(
          (reading: Reading | undefined) => reading === undefined || reading.rows.length === 0,
        );
        LIMITS.maxMs = maxMs;
        expect((await readBoth(FILE, BODY))?.rows).to.have.length(30);
        LIMITS.maxMs = 400;
      });
  });
});
