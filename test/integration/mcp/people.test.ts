import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { Listening } from '../../support/listen.js';
import { Assistant, type ToolAnswer } from '../../support/mcp/assistant.js';
import { assistantsWorld, HOSTILE_NAME_SHOWN, NOW } from '../../support/mcp/world.js';
import { itInCi, range } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

// Questions of people, a trader first, each as the one call that an assistant makes for it. people.txt has each question
// with its answer. RENEW=1 writes the answers anew; the difference says what has changed.

const FILE = new URL('people.txt', import.meta.url);

/** 22:30 of the 10th in Chicago, and the 11th in UTC. */
const NIGHT = '2025-08-11T03:30:00Z';

/** Rows that the file has of an answer. */
const MOST_ROWS = 12;

interface Question {
  asked: string;
  tool: string;
  given: Record<string, unknown>;
  /** The time at which it is asked. */
  at: string;
  /** The section of the file, of which the first lines are the question. */
  lines: string[];
}

const QUESTIONS = readFileSync(FILE, 'utf8')
  .trimEnd()
  .split('\n\n')
  .map((section): Question => {
    const lines = section.split('\n');
    const said = (word: string): string | undefined =>
      lines.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1);
    const given = JSON.parse(said('given') ?? '') as Record<string, unknown>;
    return { asked: said('asked')!, tool: said('tool')!, given, at: said('at') ?? NOW, lines };
  });

/** An answer as the file has it, without the timeline of a store. */
function shown({ http, request, rows, hints, ...more }: ToolAnswer): string[] {
  const steady = (value: unknown): string =>
    JSON.stringify(value).replaceAll(/"timeline":"\w{4}"/g, '"timeline":"aaaa"');
  return [
    ...http.map((url) => `http ${url}`),
    `request ${steady(request ?? null)}`,
    ...rows.slice(0, MOST_ROWS).map((row) => `row ${steady(row)}`),
    ...Object.entries(more).map(([name, value]) => `${name} ${steady(value)}`),
    ...hints.map((hint) => `hint ${hint}`),
  ];
}

/** The numbers of an answer by the name of their field. */
function* numbersOf(value: unknown, name = ''): Generator<[name: string, value: number]> {
  if (typeof value === 'number') yield [name, value];
  else if (Array.isArray(value)) for (const each of value) yield* numbersOf(each, name);
  else if (typeof value === 'object' && value !== null)
    for (const [field, of] of Object.entries(value))
      yield* numbersOf(of, name.endsWith('_difference') ? name : field);
}

/** Numbers that a tool works out of two of the API. */
const WORKED_OUT = /_difference$|^(change|error)_[fc]$/;

/** Two days of a station that has no others. */
const NAIROBI = {
  forecasts: [20, 21].map((day) => `HKJK,2025-06-${day - 1}T12:00:00Z,2025-06-${day},75.0,55.0,default,`),
  observations: [20, 21].map((day) => `HKJK,2025-06-${day},76,55,verified,2025-06-${day + 1}T13:00:00Z,`),
};

/** Temperatures of two stations by the hour, of seventy days and of the one that has begun. */
const HOURS = ['KPHX', 'KSEA'].flatMap((id) =>
  Array.from({ length: 70 * 24 + 15 }, (_, hour) => {
    const at = new Date(Date.parse('2025-06-02T00:53:00Z') + hour * 3_600_000).toISOString();
    return `${id},${at},${75 + 8 * Math.sin((hour - 14) / 3.82)}`;
  }),
);

describe('what people ask at /mcp', () => {
  let store: Store;
  const asked = new Map<string, { service: TestService; listening: Listening; assistant: Assistant }>();
  const hostAt = (at = NOW) => asked.get(at)!;

  before(async () => {
    store = await openTestStore();
    const { stations = [], forecasts = [], observations = [], ...world } = assistantsWorld();
    const { rejections } = await loadLines(store, {
      ...world,
      stations: [...stations, 'HKJK,Nairobi,KE,-1.32,36.93,Africa/Nairobi,Cfb,true,,NBO,,'],
      // A Monday's forecast for the Saturday, and a day without a forecast that is not over.
      forecasts: [
        ...forecasts,
        'KORD,2025-08-04T15:00:00Z,2025-08-09,80.0,60.0,default,',
        // Two providers differ about tomorrow in Seattle.
        'KSEA,2025-08-10T15:00:00Z,2025-08-12,81,60,default,',
        'KSEA,2025-08-10T15:00:00Z,2025-08-12,90.5,60,rival,',
        ...NAIROBI.forecasts,
      ],
      observations: [
        ...observations,
        ...NAIROBI.observations,
        'KMIA,2025-08-11,91,,preliminary,2025-08-11T15:00:00Z,',
      ],
      hours: [...HOURS, 'KMIA,2025-08-10T12:53:00Z,80'],
    });
    expect(rejections).to.deep.equal([]);
    for (const now of [NOW, NIGHT]) {
      const service = await startTestService(store, { now });
      const listening = await Listening.start(service);
      const assistant = await Assistant.connect(listening.url, service.key);
      await assistant.client.listTools(); // from here on it holds answers to their schemas
      asked.set(now, { service, listening, assistant });
    }
  });
  after(async () => {
    for (const { assistant, listening } of asked.values()) {
      await assistant.close();
      await listening.stop();
    }
    await store.close();
    if (process.env.RENEW !== undefined)
      writeFileSync(FILE, `${QUESTIONS.map(({ lines }) => lines.join('\n')).join('\n\n')}\n`);
  });

  /** The data of the HTTP API at each URL that an answer names. */
  const overHttp = async (
    { service }: { service: TestService },
    { http }: ToolAnswer,
  ): Promise<unknown[]> => {
    const found = [];
    for (const url of http) {
      const { status, text } = await service.get(url);
      expect(status, `${url}: ${text}`).to.equal(200);
      found.push(text.startsWith('{') ? (JSON.parse(text) as { data: unknown }).data : text);
    }
    return found;
  };

  for (const question of range({ test: 2, ci: Infinity }, QUESTIONS)) {
    const { asked: title, tool, given, at, lines } = question;
    it(`"${title}": ${tool}, with the answer of people.txt, whose numbers are those of the API`, async () => {
      const answer = await hostAt(at).assistant.ask(tool, given);
      const data = new Set([...numbersOf(await overHttp(hostAt(at), answer))].map(([, value]) => value));
      const others = [...numbersOf(answer.rows)].filter(
        ([name, value]) => !WORKED_OUT.test(name) && !data.has(value),
      );
      expect(others, 'numbers that the API does not have').to.deep.equal([]);
      const begun = lines.findIndex((line) => /^http /.test(line));
      if (process.env.RENEW !== undefined)
        lines.splice(begun < 0 ? lines.length : begun, lines.length, ...shown(answer));
      expect(shown(answer)).to.deep.equal(lines.filter((line) => !/^(asked|tool|given|at) /.test(line)));
    });
  }

  it('"How old are the data?": data_status, with the answers of the API', async () => {
    const answer = await hostAt().assistant.ask('data_status', {});
    const paths = ['accuracy/freshness', 'providers', 'loads', 'stations/metadata', 'data/suspects', 'seals'];
    expect(answer.http.map((url) => url.split('?')[0])).to.deep.equal(paths.map((path) => `/api/v1/${path}`));
    const [freshness, providers, , , , checkpoint] = await overHttp(hostAt(), answer);
    expect(answer.rows).to.deep.equal(providers);
    expect(answer.freshness).to.deep.equal({
      ...(freshness as object),
      checkpoint: String(checkpoint).split('\n'),
    });
  });

  itInCi(
    '"Show me the ten worst misses, and let me have them all": by the size of the error, and a file',
    async () => {
      const given = { place: 'Denver', worst_first: true, limit: 10 };
      const answer = await hostAt().assistant.ask('forecast_pairs', given);
      const { text } = await hostAt().service.get(answer.file ?? '');
      const [header = '', ...lines] = text.trim().split('\r\n');
      expect(lines).to.have.length(answer.total_rows);
      const column = header.split(',').indexOf('error');
      const sizes = lines.map((line) => Math.abs(Number(line.split(',')[column]))).sort((a, b) => b - a);
      expect(answer.rows.map(({ error }) => Math.abs(error as number))).to.deep.equal(sizes.slice(0, 10));
    },
  );

  it('given a name that no station has, then the fault names the tool that finds one, and no URL', async () => {
    const { assistant } = hostAt();
    for (const [tool, given] of [
      ['odds', { place: 'Atlantis' }],
      ['forecast_accuracy', { as_of: 'v99' }],
    ] as const) {
      const fault = await assistant.refused(tool, given);
      expect(JSON.stringify(fault)).to.match(/find_stations|data_status/).and.not.to.match(/\/api\/|station_id|GET /); // prettier-ignore
    }
  });

  itInCi(
    'given a name that tries to be an instruction, then it is a value, and in no word of ours',
    async () => {
      const { assistant } = hostAt();
      const { rows } = await assistant.ask('find_stations', { query: 'trap' });
      expect(rows[0]?.city_name).to.equal(HOSTILE_NAME_SHOWN);
      for (const [name, given] of [
        ['find_stations', {}],
        ['forecast_accuracy', { by: 'station' }],
        ['forecast_pairs', { place: 'KXXX' }],
      ] as const) {
        const text = JSON.stringify(await assistant.ask(name, given));
        expect(text, name)
          .to.include(HOSTILE_NAME_SHOWN)
          .and.not.to.match(/[\u200b\u202e\u{e0000}-\u{e007f}]/u);
      }
      const { tools } = await assistant.client.listTools();
      expect(JSON.stringify(tools) + assistant.client.getInstructions()).not.to.match(/Ignore|Chicago|KORD/);
      // A suggestion may name it; it does not come out of its quotes or with what nobody sees.
      const fault = await assistant.refused('forecast_accuracy', { place: 'Trapp' });
      expect(fault).to.include({ code: 'STATION_NOT_FOUND' });
      expect(fault.message).to.match(/did you mean Trap/);
    },
  );
});
