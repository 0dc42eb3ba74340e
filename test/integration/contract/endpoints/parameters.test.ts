import { expect } from 'chai';
import { DOWNLOADS, ENDPOINTS } from '../../../../src/endpoints.js';
import { contract } from '../../../support/contract/shared.js';
import { type Kind, PARAMETERS, PATHS, urlOf, windowOf } from '../../../support/contract/interface.js';
import { isInCi, range } from '../../../support/runner/range.js';

/** Slips of the keyboard, with the parameter that is meant. */
const SLIPS: Record<string, string> = {
  ...{ date_form: 'date_from', dateTo: 'date_to', dayz: 'days', metrics: 'metric', fromat: 'format' },
  ...{ stationid: 'station_id', citi: 'city', min_sample: 'min_samples', includeRaw: 'include_raw' },
  threshold: 'thresholds',
};

/** Parameters that no endpoint takes, beside those that others take. */
const FOREIGN = ['offset', 'page', 'fields', 'timezone', 'unit', 'tz', 'fahrenheit', 'utm_campaign_source'];

const encoded = (name: string, value: string): string => `${name}=${encodeURIComponent(value)}`;

const DEFINITIONS = [...ENDPOINTS, ...DOWNLOADS.map((each) => ({ ...each, paths: [each.path] }))].flatMap(
  ({ paths, parameters }) =>
    paths.map((path) => ({
      path: `/api/v1${path.replace(':station_id', '{station_id}')}`,
      parameters: Object.entries(parameters).filter(
        ([name]) => name !== 'station_id' || !path.includes(':station_id'),
      ),
    })),
);

/** The names whose definitions no path before has: endpoints share what they take, so each is tried on one of them. */
const NEW_NAMES = new Map<string, Set<string>>();
const tried = new Set<unknown>();
for (const { path, parameters } of DEFINITIONS) {
  const found = parameters.filter(([, definition]) => !tried.has(definition));
  for (const [, definition] of found) tried.add(definition);
  NEW_NAMES.set(path, new Set(found.map(([name]) => name)));
}

/** Parameters that every endpoint takes alike: one definition each. */
const ALIKE = [
  ...[
    'days',
    'date_from',
    'date_to',
    'known_at',
    'as_of',
    'temp_unit',
    'units',
    'min_coverage',
    'station_id',
    'stations',
  ],
  ...[
    'country',
    'climate_zone',
    'near',
    'radius_km',
    'bbox',
    'bom',
    'issued_hour',
    'window',
    'verified_only',
  ],
];

/** The bad values of a kind, each with the message that it has. */
const badOf = ({ bad }: Kind): [message: string, value: string][] =>
  bad.flatMap(([message, values]) => values.map((value): [string, string] => [message, value]));

// Guards what every endpoint takes and refuses, in which words, and that it takes nothing else (D18): the parameters of
// openapi.json, inside and outside of what it says of each.
describe('the parameters of every endpoint', () => {
  /** The meaning of a question that is taken: its tag, or the answer where that is of its moment and has no tag. */
  const meaning = async (url: string): Promise<string> => {
    const { status, headers, text } = await contract.get(url, { 'If-None-Match': '*' });
    expect(status, `${url}: ${text.slice(0, 300)}`).to.equal(headers.etag === undefined ? 200 : 304);
    return headers.etag ?? text.replace(/"query_time_ms":\d+/, '');
  };

  it('given the endpoints, then the document has each of them and its parameters, and no others', () => {
    expect(DEFINITIONS.map(({ path }) => path)).to.have.members(PATHS);
    for (const { path, parameters } of DEFINITIONS)
      expect(
        parameters.map(([name]) => name),
        path,
      ).to.have.members(Object.keys(PARAMETERS[path]!));
  });

  it('given a parameter that all take alike, then every endpoint has the one definition of it', () => {
    for (const name of ALIKE) {
      const found = DEFINITIONS.flatMap(({ parameters }) =>
        parameters.filter(([each]) => each === name).map(([, definition]) => definition),
      );
      expect(found.length, name).to.be.above(1);
      expect(new Set(found).size, `definitions of ${name}`).to.equal(1);
    }
  });

  for (const template of PATHS.filter((path) => NEW_NAMES.get(path)!.size > 0)) {
    const parameters = Object.entries(PARAMETERS[template]!).filter(([name]) =>
      NEW_NAMES.get(template)!.has(name),
    );
    const window = windowOf(template);

    describe(template, () => {
      it('given a good value of each, then it is taken', async () => {
        for (const [name, { good, beside = '' }] of parameters) {
          const days = name.startsWith('date_') ? '' : window;
          const urls = good.map((value) => urlOf(template, days, beside, encoded(name, value)));
          for (const url of urls) await meaning(url);
          if (isInCi)
            for (const url of urls.slice(0, 1)) expect((await contract.get(url)).status, url).to.equal(200);
        }
      });

      it('given a bad value of one, then it is the one fault, in the words of its kind', async () => {
        for (const [name, kind] of parameters) {
          for (const [message, value] of badOf(kind)) {
            const faults = await contract.faults(urlOf(template, window, encoded(name, value)));
            // A slip of a word is told with the word that it may mean (test/unit/api/parameters.test.ts).
            const told = faults.map((fault) => ({
              ...fault,
              message: fault.message.replace(/(?<=^must be [-\w+., ]+); did you mean [-\w+.]+\?$/, ''),
            }));
            expect(told, `${name}=${value}`).to.deep.equal([{ parameter: name, message }]);
          }
        }
      });

      it('given a name that nothing has, then it is the error of that; a bad parameter comes first', async () => {
        for (const [name, { unknown }] of parameters) {
          for (const value of unknown?.names ?? []) {
            const query = encoded(name, value);
            await contract.refused(urlOf(template, query), 404, unknown!.code);
            const faults = await contract.faults(urlOf(template, query, 'format=xml'));
            expect(faults.map(({ parameter }) => parameter)).to.deep.equal(['format']);
          }
        }
      });
    });
  }

  for (const template of range({ test: 3, ci: 12, stress: Infinity }, PATHS)) {
    const parameters = Object.entries(PARAMETERS[template]!);
    const names = parameters.map(([name]) => name);
    const window = windowOf(template);
    const isSteady = template !== '/api/v1/usage'; // it counts requests
    const known = template.endsWith('by-date/{station_id}') ? [...names, 'station_id'] : names;

    describe(template, () => {
      it('given a bad value of each at once, then all are listed', async () => {
        const bad = parameters.flatMap(([parameter, kind]) =>
          badOf(kind)
            .slice(0, 1)
            .map(([message, value]) => ({ parameter, message, value })),
        );
        const query = bad.map(({ parameter, value }) => encoded(parameter, value)).join('&');
        const { details, message } = await contract.refused(urlOf(template, query), 400, 'INVALID_PARAMETER');
        expect(details).to.have.deep.members(bad.map(({ value: _, ...fault }) => fault));
        for (const { parameter } of bad) expect(message).to.include(parameter);
      });

      it('given blanks, or the default that the document has, then it means the same as without', async () => {
        if (!isSteady) return;
        const free = names.filter((name) => !urlOf(template, window).includes(`${name}=`));
        const blank = free.map((name) => `${name}=`).join('&');
        const plain = await meaning(urlOf(template, window));
        for (const query of [...range({ test: 0, ci: 0, stress: Infinity }, free), blank])
          expect(await meaning(urlOf(template, window, query)), query).to.equal(plain);
        const withoutWindow = await meaning(urlOf(template));
        for (const [name, { schema }] of parameters) {
          if (schema.default === undefined) continue;
          const query = encoded(name, `${schema.default as string}`);
          expect(await meaning(urlOf(template, query)), name).to.equal(withoutWindow);
        }
      });

      it('given what others take, or nobody, then each is refused, and all that this one takes are named', async () => {
        const foreign = new Set([...PATHS.flatMap((path) => Object.keys(PARAMETERS[path]!)), ...FOREIGN]);
        const others = [...foreign].filter((name) => !known.includes(name));
        const faults = await contract.faults(urlOf(template, ...others.map((name) => `${name}=`)));
        expect(faults.map(({ parameter }) => parameter)).to.have.members(others);
        for (const { parameter, message } of faults) {
          const [, told = ''] =
            /^is not a parameter(?:; did you mean \w+\?)? \(available: (.+)\)$/.exec(message) ?? [];
          expect(told.split(', '), parameter).to.have.members(known);
          if (['tz', 'page', 'utm_campaign_source'].includes(parameter))
            expect(message, parameter).not.to.include('did you mean');
        }
      });

      it('given one twice, with whatever values, or misspelt, then it is a fault that says so', async () => {
        for (const [name, { good }] of range({ test: 2, ci: 2, stress: Infinity }, parameters)) {
          const pair = encoded(name, good[0] ?? 'a');
          for (const again of [`${name}=`, pair]) {
            const faults = await contract.faults(`${urlOf(template, window, pair)}&${again}`);
            expect(faults).to.deep.equal([{ parameter: name, message: 'is given 2 times; give it once' }]);
          }
        }
        // The beginning of a longer name is taken for that name, so `lead` has no slip to tell.
        const slips = names
          .filter((name) => name !== 'lead')
          .flatMap((name) => {
            const camel = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
            const capital = name[0]!.toUpperCase() + name.slice(1);
            return [capital, name.replaceAll('_', '-'), camel].map((slip): [string, string] => [slip, name]);
          });
        const given = new Map([...slips, ...Object.entries(SLIPS)]);
        const written = [...given].filter(([slip, meant]) => !known.includes(slip) && names.includes(meant));
        const faults = await contract.faults(urlOf(template, ...written.map(([slip]) => `${slip}=1`)));
        const told = faults.map((fault) => [
          fault.parameter,
          /did you mean (\w+)\?/.exec(fault.message)?.[1],
        ]);
        expect(told).to.have.deep.members(written);
      });
    });
  }
});
