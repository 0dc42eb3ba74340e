import { expect } from 'chai';
import { contract } from '../../../support/contract/shared.js';
import { PARAMETERS, PATHS, urlOf, windowOf } from '../../../support/contract/interface.js';
import { isInCi, range } from '../../../support/runner/range.js';

type Row = Record<string, unknown>;

const EMPTY = ['date_from=2024-03-01&date_to=2024-03-10', 'date_from=2030-01-01&date_to=2030-01-05'];

/** Records that are there without data: of each station, or of each lead time. */
const ALWAYS = ['/api/v1/accuracy/sample-size'];

/** Numbers of a question or of its form, and not of data. */
const OF_QUESTION =
  /^(level|hour|threshold_f|forecast_f|days_expected|\w+_lead_hours|from|to|from_f|to_f|lead_ms|weight_\w+)$/;

/** The numbers of a value that say something of data: not 0, and not of the question. */
function told(value: unknown, name = ''): [name: string, value: number][] {
  if (Array.isArray(value)) return value.flatMap((each) => told(each, name));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([field, of]) => told(of, field));
  return typeof value === 'number' && value !== 0 && !OF_QUESTION.test(name) ? [[name, value]] : [];
}

// Guards, on every endpoint, that an answer without data has all of its fields and no number, and that as_of and
// known_at go back to before there were any (D31).
describe('every endpoint, given nothing to tell', () => {
  const isList = (data: unknown): data is Row[] => Array.isArray(data);

  function expectNothing(template: string, data: unknown, about: string): void {
    if (isList(data) && !ALWAYS.includes(template)) expect(data, about).to.deep.equal([]);
    expect(told(data), about).to.deep.equal([]);
  }

  const paths = PATHS.filter((path) => path.includes('/accuracy/') || path.includes('/data/'));
  for (const template of range({ test: 4, ci: 12, stress: Infinity }, paths)) {
    const names = PARAMETERS[template]!;
    const url = (...queries: string[]): string => urlOf(template, windowOf(template), ...queries);

    if ('date_from' in names) {
      it(`given ${template} and a window without data, then there is no number but counts of 0, and all metadata`, async () => {
        const groups = (names.group_by?.schema.enum ?? []).map((group) => `group_by=${group}`);
        for (const group of ['', ...range({ test: 0, ci: Infinity }, groups)]) {
          const plain = await contract.ok(url(group));
          for (const window of range({ test: 1, ci: 2 }, EMPTY)) {
            const { data, metadata } = await contract.ok(url(window, group));
            const isOne = group === 'group_by=none'; // all as one have a record without a number
            expectNothing(template, isOne ? ([data].flat()[0] ?? {}) : data, `${window} ${group}`);
            expect(told(metadata.network)).to.deep.equal([]);
            expect(metadata).to.have.all.keys(...Object.keys(plain.metadata));
            if ('total_records' in metadata) expect(metadata.total_records).to.equal(0);
          }
        }
      });
    }

    if ('as_of' in names) {
      it(`given ${template} and the present version, then the data are those without; before any load, none`, async () => {
        // `make test` asks of each time what reads other rows than a question without it.
        if (isInCi) {
          const { data } = await contract.ok(url());
          const now = await contract.ok(url('as_of=v1'));
          expect(now.data).to.deep.equal(data);
          if ('as_of' in now.metadata) expect(now.metadata.as_of).to.include({ requested: 'v1', version: 1 });
        }
        const before = await contract.ok(url('as_of=2024-03-20'));
        expectNothing(template, before.data, 'as_of');
      });
    }

    if ('known_at' in names) {
      it(`given ${template} and this moment, then what is known is all; given one before any observation, it is nothing`, async () => {
        const isOfNothing = !template.endsWith('/skill');
        if (isInCi || !isOfNothing) {
          const { data } = await contract.ok(url());
          const now = await contract.ok(url('known_at=2024-03-20T15:30:00Z'));
          expect(now.data).to.deep.equal(data);
          expect(now.metadata).to.include({ known_at: '2024-03-20T15:30:00.000Z' });
        }
        const before = await contract.ok(url('known_at=2024-03-14'));
        expect(before.metadata).to.include({ known_at: '2024-03-14T00:00:00.000Z' });
        if (isOfNothing) expectNothing(template, before.data, 'known_at');
      });

      if (!('date_from' in names) || template.includes('{')) continue;
      it(`given ${template} and what was known of all stations over more than 31 days, then it is refused`, async () => {
        const faults = await contract.faults(urlOf(template, 'known_at=2024-03-14&days=32'));
        expect(faults.map(({ parameter }) => parameter)).to.deep.equal(['known_at']);
      });
    }
  }
});
