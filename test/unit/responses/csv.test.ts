import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { z } from 'zod';
import { makePlan } from '../../../src/api/record-plan.js';
import { csvText, makeLayout } from '../../../src/responses/csv.js';

const RECORD = z.object({
  station_id: z.string(),
  active: z.boolean(),
  names: z.array(z.string()),
  stats: z.object({ pairs: z.number(), mean_error: z.number().nullable() }),
  sample_size: z.number(),
});
const VALUE = {
  station_id: 'KORD',
  active: true,
  names: ['Chicago', "O'Hare"],
  stats: { pairs: 3, mean_error: -1.25 },
  sample_size: 3,
};
const WINDOW = { metric: 'high', period_start: '2026-01-01', period_end: '2026-01-31' };

const csv = async (
  record: z.ZodObject,
  values: readonly unknown[],
  constants: Record<string, string> = WINDOW,
) => text(csvText(makeLayout(makePlan(record).fields!, 'fahrenheit'), values, constants));

describe('records as CSV', () => {
  it('given a record, then constants come first, nested fields are columns, and lines end in CRLF', async () => {
    expect(await csv(RECORD, [VALUE])).to.equal(
      'metric,period_start,period_end,station_id,active,names,pairs,mean_error,sample_size\r\n' +
        "high,2026-01-01,2026-01-31,KORD,true,Chicago|O'Hare,3,-1.25,3\r\n",
    );
  });

  it('given no records, or no constants, then the header is of what there is', async () => {
    const [header] = (await csv(RECORD, [VALUE])).split('\r\n');
    expect(await csv(RECORD, [])).to.equal(`${header}\r\n`);
    expect(await csv(z.object({ a: z.number() }), [{ a: 1 }], {})).to.equal('a\r\n1\r\n');
  });

  it('given null, then the cell is empty; given 0 or false, then it is not', async () => {
    const record = z.object({ a: z.number().nullable(), b: z.number(), c: z.boolean(), d: z.string() });
    expect(await csv(record, [{ a: null, b: 0, c: false, d: '' }], {})).to.equal('a,b,c,d\r\n,0,false,\r\n');
  });

  it('given fields in another order, or more fields, then the columns are those of the schema', async () => {
    const record = z.object({ a: z.number(), b: z.number() });
    expect(await csv(record, [{ c: 3, b: 2, a: 1 }], {})).to.equal('a,b\r\n1,2\r\n');
  });

  it('given a list of records in a record, then each makes a row', async () => {
    const samples = z.array(z.object({ date: z.string(), error: z.number() })).optional();
    const record = z.object({ station_id: z.string(), samples });
    const [one, other] = [1, -2].map((error, at) => ({ date: `2026-01-0${at + 1}`, error }));
    const value = { station_id: 'KORD', samples: [one, other] };
    expect(await csv(record, [value], {})).to.equal(
      'station_id,date,error\r\nKORD,2026-01-01,1\r\nKORD,2026-01-02,-2\r\n',
    );
    expect(await csv(record, [{ ...value, samples: [] }], {})).to.equal('station_id,date,error\r\n');
  });

  it('given two lists of records, then each member makes a row, in which the cells of the other are empty', async () => {
    const of = (name: string) => z.array(z.object({ [name]: z.number() }));
    const record = z.object({ as: of('a'), bs: of('b') });
    const [as, bs] = [
      [{ a: 1 }, { a: 2 }],
      [{ b: 3 }, { b: 4 }],
    ];
    expect(await csv(record, [{ as, bs }], {})).to.equal('a,b\r\n1,\r\n2,\r\n,3\r\n,4\r\n');
    expect(await csv(record, [{ as, bs: [] }], {})).to.equal('a,b\r\n1,\r\n2,\r\n');
    expect(await csv(record, [{ as: [], bs: [] }], {})).to.equal('a,b\r\n');
  });

  it('given objects with the same fields, then the columns of each have its name', async () => {
    const scores = z.object({ cases: z.number(), mae: z.number() });
    const record = z.object({ ours: scores.optional(), theirs: scores });
    const value = { theirs: { cases: 1, mae: 2 } };
    expect(await csv(record, [value], {})).to.equal(
      'ours_cases,ours_mae,theirs_cases,theirs_mae\r\n,,1,2\r\n',
    );
  });

  const cellOf = async (text: string): Promise<string> =>
    (await csv(z.object({ a: z.string() }), [{ a: text }], {})).slice('a\r\n'.length, -'\r\n'.length);

  for (const [given, cell] of [
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['Zürich 🌡', 'Zürich 🌡'],
    // Formulas, which a spreadsheet takes for text.
    ...['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '-cmd|x', '＝1'].map((text) => [text, `'${text}`] as const),
    ['\r=1', '"\'\r=1"'],
  ] as const) {
    it(`given text ${JSON.stringify(given)}, then its cell is ${JSON.stringify(cell)}`, async () => {
      expect(await cellOf(given)).to.equal(cell);
    });
  }

  it('given a list of names that begins like a formula, then it is guarded as well', async () => {
    const record = z.object({ names: z.array(z.string()) });
    expect(await csv(record, [{ names: ['=1', 'x'] }], {})).to.equal("names\r\n'=1|x\r\n");
  });

  it('given negative numbers, then they stay', async () => {
    const record = z.object({ a: z.number(), b: z.number() });
    expect(await csv(record, [{ a: -0.5, b: -12 }], {})).to.equal('a,b\r\n-0.5,-12\r\n');
  });

  it('given any numbers and texts, then a CSV reader gets them back', async () => {
    const record = z.object({ number: z.number(), name: z.string(), other: z.string() });
    const name = fc.string({ unit: 'grapheme' }).filter((value) => !/^[=+\-@\t\r＝＋－＠]/.test(value));
    const value = fc.record({
      number: fc.integer({ min: -1e7, max: 1e7 }).map((hundredths) => hundredths / 100),
      name,
      other: name,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(value, { maxLength: 5 }), async (values) => {
        const rows = parse<Record<string, string>>(await csv(record, values, { metric: 'high' }), {
          columns: true,
          record_delimiter: '\r\n',
        });
        expect(rows).to.deep.equal(
          values.map((each) => ({ metric: 'high', ...each, number: String(each.number) })),
        );
      }),
    );
  });
});
