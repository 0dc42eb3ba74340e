import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { Listening } from '../../support/listen.js';
import { Assistant, type ToolAnswer } from '../../support/mcp/assistant.js';
import { assistantsWorld, HOSTILE_NAME_SHOWN, NOW, TOMORROW } from '../../support/mcp/world.js';
import { itInCi } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

// What a trader asks an assistant, as the calls that answer it. Every number is that of the HTTP API (D37). In `make test`
// one question of each tool stands for the others.

interface ApiBody {
  data: unknown;
}

describe('the questions of a trader at /mcp (D37)', () => {
  let store: Store;
  let service: TestService;
  let listening: Listening;
  let assistant: Assistant;

  before(async () => {
    store = await openTestStore();
    const { rejections } = await loadLines(store, assistantsWorld());
    expect(rejections).to.deep.equal([]);
    service = await startTestService(store, { now: NOW });
    listening = await Listening.start(service);
    assistant = await Assistant.connect(listening.url, service.key);
    await assistant.client.listTools(); // from here on it holds answers to their schemas
  });
  after(async () => {
    await assistant.close();
    await listening.stop();
    await store.close();
  });

  const ask = async (name: string, given: Record<string, unknown> = {}): Promise<ToolAnswer> =>
    assistant.ask(name, given);
  /** The data of the HTTP API at each URL that an answer names. */
  const overHttp = async ({ http }: ToolAnswer): Promise<unknown[]> => {
    const found = [];
    for (const url of http) {
      const { status, text } = await service.get(url);
      expect(status, `${url}: ${text}`).to.equal(200);
      found.push((JSON.parse(text) as ApiBody).data);
    }
    return found;
  };
  const number = (value: unknown): number => value as number;

  it('"What are the odds of 85 or more in Chicago tomorrow?": the API\'s odds, with their calibration beside them', async () => {
    const { rows: [station] } = await ask('find_stations', { query: 'windy' }); // prettier-ignore
    expect(station?.station_id).to.equal('KORD');
    const answer = await ask('odds', { place: 'Chicago', target_date: TOMORROW, thresholds: [85] });
    const [{ thresholds, ...odds }, { cases, brier }] = (await overHttp(answer)) as [
      { thresholds: unknown; brackets?: unknown },
      { cases: number; brier: unknown },
    ];
    expect(answer.rows).to.deep.equal(thresholds);
    expect(answer.odds).to.deep.equal(odds);
    expect(answer.calibration).to.deep.include({ cases, brier });
    expect(cases, 'judged in the last 90 days').to.be.at.least(30);
    const { lead_range } = odds as unknown as { lead_range: { nearest_lead_hours: number } };
    expect(answer.http[1], 'judged at the lead of the forecast').to.include(
      `lead_hours=${lead_range.nearest_lead_hours}`,
    );
    expect(answer.hints).to.deep.equal([]);
    // The forecast of 86.4 is 2 °F too warm as a rule.
    expect(number(answer.rows[0]?.at_or_above)).to.be.within(0.2, 0.7);
  });

  itInCi('"And with my own forecast of 90?": the odds of brackets', async () => {
    const answer = await ask('odds', {
      place: 'ORD',
      forecast: 90,
      brackets: '84-85,86-87',
      target_date: TOMORROW,
    });
    // 15:30Z is 13.5 hours before midnight in Chicago, and 37.5 before the next one.
    expect(answer.odds).to.include({ lead_time_bucket: '12-24h' });
    const further = await ask('odds', { place: 'ORD', forecast: 90, target_date: '2025-08-13' });
    expect(further.odds).to.include({ lead_time_bucket: '24-48h' });
    const told = await ask('odds', { place: 'ORD', forecast: 90, target_date: '2025-08-11', lead_hours: 30 });
    expect(told.odds).to.include({ lead_time_bucket: '24-48h' });
    expect(told.http[1]).to.include('lead_hours=30');
    const ofBucket = { place: 'ORD', forecast: 90, target_date: '2025-08-11', lead_time_bucket: '24-48h' };
    expect((await ask('odds', ofBucket)).http[1]).to.include('lead_time_bucket=24-48h');
    expect(answer.rows.map(({ from_f }) => from_f)).to.deep.equal([null, 84, 86, 88]);
    expect(answer.rows.reduce((sum, { probability }) => sum + number(probability), 0)).to.be.closeTo(1, 1e-5);
  });

  it('"Is the bias real?": of Chicago it is, of Miami it is not', async () => {
    const intervalOf = async (place: string): Promise<[number, number]> => {
      const { rows, question } = await ask('forecast_accuracy', { place });
      expect(question).to.include({ error_convention: 'forecast_minus_actual', provider: 'default' });
      return rows[0]?.mean_error_95 as [number, number];
    };
    expect((await intervalOf('Chicago'))[0]).to.be.above(0);
    const [low, high] = await intervalOf('Miami');
    expect([low < 0, high > 0]).to.deep.equal([true, true]);
  });

  itInCi('"Which provider should I trust?": the differences of the API, on days that both have', async () => {
    const status = await ask('data_status');
    expect(status.rows.map(({ provider }) => provider)).to.deep.equal(['default', 'rival']);
    const answer = await ask('compare', { of: 'providers', days: 60 });
    expect([answer.rows]).to.deep.equal(await overHttp(answer));
    const { mae_difference, provider, reference, verdict } = answer.rows[0] ?? {};
    expect([provider, reference, verdict]).to.deep.equal(['rival', 'default', 'worse']);
    expect((mae_difference as { low: number }).low).to.be.above(0);
  });

  itInCi('"Is it better than persistence?": the skill of each lead time', async () => {
    const answer = await ask('compare', { of: 'reference', by: 'lead_time', place: 'Miami' });
    expect([answer.rows.map(({ verdict: _verdict, ...row }) => row)]).to.deep.equal(await overHttp(answer));
    expect(answer.rows.find((row) => row.lead_time_bucket === '12-24h')?.verdict).to.equal('better');
  });

  it('"Which city was worst this month, and is that worse than last year?": ranked, and both windows with their difference', async () => {
    const window = { date_from: '2025-08-01', date_to: '2025-08-10' };
    const ranked = await ask('forecast_accuracy', { ...window, by: 'station', worst_first: true, limit: 3 });
    expect(ranked.rows.map(({ station_id }) => station_id)[0]).to.equal('KDEN');
    expect(ranked).to.include({ total_rows: 8, truncated: true });
    expect(ranked.hints.join())
      .to.match(/3 of 8 rows.*limit/)
      .and.to.match(/fewer than 30/);
    const other = { other_date_from: '2024-08-01', other_date_to: '2024-08-10' };
    const answer = await ask('compare', {
      of: 'windows',
      by: 'station',
      ...window,
      ...other,
      worst_first: true,
    });
    const [now, then] = (await overHttp(answer)) as { station_id: string; stats: { mae: number } }[][];
    const maeOf = (rows: typeof now): number =>
      rows?.find((row) => row.station_id === 'KDEN')?.stats.mae ?? NaN;
    const worst = answer.rows[0] as {
      station_id: string;
      mae_difference: { value: number };
      verdict: string;
    };
    expect(worst.station_id).to.equal('KDEN');
    expect(worst.mae_difference.value).to.be.closeTo(maeOf(then) - maeOf(now), 1e-9);
    expect(worst.mae_difference.value, 'last year less this year').to.be.below(0);
    expect(worst.verdict, 'of ten days').to.equal('not_shown');
    expect(answer.hints.join()).to.match(/fewer than 30/);
  });

  itInCi('"Denver or Seattle?": both with intervals, and which is better', async () => {
    const answer = await ask('compare', { of: 'places', place: 'Denver', other_place: 'KSEA', days: 70 });
    const [row] = answer.rows as { first: { mae: number }; verdict: string }[];
    const [denver] = (await overHttp(answer)) as { mae: number }[];
    expect(row?.first.mae).to.equal(denver?.mae);
    expect(row?.verdict).to.equal('better');
    expect(answer.question).to.have.nested.property('second.station_id', 'KSEA');
  });

  itInCi(
    '"How does it get worse with the lead?": a row per lead time, and the larger error later',
    async () => {
      const { rows } = await ask('forecast_accuracy', { place: 'BOS', by: 'lead_time' });
      const mae = (bucket: string): number =>
        number(rows.find((row) => row.lead_time_bucket === bucket)?.mae);
      expect(mae('24-48h')).to.be.above(mae('12-24h'));
    },
  );

  itInCi(
    '"Did it change over the summer, and how often is it 5 °F off?": weeks, months and thresholds',
    async () => {
      const months = await ask('forecast_accuracy', { place: 'KPHX', by: 'month' });
      expect(months.rows.map(({ date }) => date)).to.deep.equal(['2025-06-01', '2025-07-01', '2025-08-01']);
      const weeks = await ask('forecast_accuracy', { place: 'KPHX', by: 'week', limit: 2 });
      expect(weeks.rows.map(({ date }) => date)).to.deep.equal(['2025-07-28', '2025-08-04']);
      expect(weeks.hints.join()).to.match(/2 of 10 rows, the latest/);
      const { rows } = await ask('forecast_accuracy', { place: 'KPHX', by: 'threshold', thresholds: '5' });
      expect(rows[0]).to.have.nested.property('thresholds[0].exceedance_rate');
    },
  );

  it('"Show me the ten worst misses, and let me have them all": by the size of the error, and a file', async () => {
    const answer = await ask('forecast_pairs', { place: 'Denver', worst_first: true, limit: 10 });
    const sizes = answer.rows.map(({ error }) => Math.abs(number(error)));
    expect(sizes).to.have.length(10);
    expect(sizes).to.deep.equal(sizes.toSorted((a, b) => b - a));
    const [all] = (await overHttp(answer)) as { error: number }[][];
    expect(sizes[0]).to.equal(Math.max(...(all ?? []).map(({ error }) => Math.abs(error))));
    expect(answer.total_rows).to.equal(all?.length);
    const { text } = await service.get(answer.file ?? '');
    expect(text.trim().split('\n')).to.have.length(1 + answer.total_rows);
  });

  itInCi('"What of last spring?": nothing, why, and how far the data reach', async () => {
    const empty = { date_from: '2025-03-01', date_to: '2025-03-31' };
    for (const [name, given] of [
      ['forecast_accuracy', empty],
      ['forecast_accuracy', { ...empty, by: 'date' }],
      ['forecast_pairs', empty],
      ['compare', { ...empty, of: 'windows', other_date_from: '2025-04-01', other_date_to: '2025-04-30' }],
    ] as const) {
      const { hints } = await ask(name, given);
      expect(hints[0], name).to.match(/2025-03-01 to 2025-03-31.* reach from 2024-07-20 to 2025-08-10/);
    }
  });

  it('given a name that tries to be an instruction, then it is a value without hidden characters, and in no word of ours', async () => {
    const { rows } = await ask('find_stations', { query: 'trap' });
    expect(rows[0]?.city_name).to.equal(HOSTILE_NAME_SHOWN);
    for (const [name, given] of [
      ['find_stations', {}],
      ['forecast_accuracy', { by: 'station' }],
      ['forecast_pairs', { place: 'KXXX' }],
    ] as const) {
      const text = JSON.stringify(await ask(name, given));
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
  });
});
