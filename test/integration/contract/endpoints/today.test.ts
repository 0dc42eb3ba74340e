import { expect } from 'chai';
import { readCsv } from '../../../support/contract/cases.js';
import { Contract } from '../../../support/contract/contract.js';
import { PARAMETERS, PATHS } from '../../../support/contract/interface.js';
import { store } from '../../../support/contract/shared.js';
import { describeInCi, itInCi, range } from '../../../support/runner/range.js';
import { startTestService } from '../../../support/service.js';

// Guards which day is today (D64): Chicago is five hours behind UTC in March 2024, Delhi five and a half ahead.

/** In Chicago 2024-03-19, 22:00. */
const EVENING = '2024-03-20T03:00:00Z';
/** In Delhi 2024-03-21, 01:00. */
const NIGHT = '2024-03-20T19:30:00Z';

describe('today, where a request leaves the day out (D64)', () => {
  let now = EVENING;
  let contract: Contract;
  before(async () => {
    contract = await Contract.of(await startTestService(store, { now: () => new Date(now) }));
  });

  const of = async (path: string): Promise<Record<string, unknown>> =>
    (await contract.ok(`/api/v1${path}`)).metadata;

  const ofWindows = PATHS.filter((path) => 'days' in PARAMETERS[path]! && !path.includes('/export/'));
  for (const template of range({ test: 2, ci: 10, stress: Infinity }, ofWindows)) {
    it(`given ${template}, then a window ends on the station's day, of several on the UTC day, and says which`, async () => {
      now = EVENING;
      const names = PARAMETERS[template]!;
      const isInPath = template.includes('{station_id}');
      const path = template.replace('/api/v1', '');
      const named = isInPath ? path.replace('{station_id}', 'KORD') : `${path}?station_id=Chicago`;
      const asked = [named];
      if (!isInPath && 'city' in names) asked.push(`${path}?city=Chicago`);
      if (!isInPath && 'stations' in names) asked.push(`${path}?stations=KORD`, `${path}?country=IN`);
      const isOfUtc = template.endsWith('update-frequency');
      for (const each of asked) {
        now = each.includes('=IN') ? NIGHT : EVENING;
        const day = isOfUtc ? '2024-03-20' : each.includes('=IN') ? '2024-03-21' : '2024-03-19';
        const { period_end, today_basis } = await of(each);
        expect([period_end, today_basis], each).to.deep.equal([day, isOfUtc ? 'utc' : undefined]);
      }
      now = EVENING;
      if (isInPath) return;
      for (const each of [path, ...('stations' in names ? [`${path}?stations=KORD,VIDP`] : [])])
        expect(await of(each), each).to.include({ period_end: '2024-03-20', today_basis: 'utc' });
    });
  }

  it('given one target date, then it is that of the station, without one that of UTC', async () => {
    for (const [moment, path, day, basis] of [
      [EVENING, '/data/forecasts?station_id=KORD', '2024-03-19', undefined],
      [EVENING, '/data/forecasts', '2024-03-20', 'utc'],
      [EVENING, '/probability?forecast=50&lead_hours=12&station_id=KORD', '2024-03-19', undefined],
      [NIGHT, '/probability?forecast=50&lead_hours=12&city==Delhi', '2024-03-21', undefined],
      [EVENING, '/probability?forecast=50&lead_hours=12', '2024-03-20', 'utc'],
      [EVENING, '/accuracy/bias-correction?station_id=KORD', '2024-03-19', undefined],
    ] as const) {
      now = moment;
      const { data, metadata } = await contract.ok<Record<string, unknown>>(`/api/v1${path}`);
      const { forecast_for_date, target_date = forecast_for_date } = data;
      expect([metadata.forecast_for_date ?? target_date, metadata.today_basis], path).to.deep.equal([
        day,
        basis,
      ]);
    }
  });

  itInCi('given instants, then the last is the end of the day of the station', async () => {
    now = EVENING;
    const end = async (path: string) => (await of(path)).end_time;
    expect(await end('/data/hours?station_id=KORD')).to.equal('2024-03-20T04:59:59.999Z');
    expect(await end('/data/hours')).to.equal('2024-03-20T23:59:59.999Z');
  });

  it("given known_at, then it is that instant's day at the station; given as_of, the version's UTC day", async () => {
    now = NIGHT;
    const known = await of(`/accuracy/summary?station_id=KORD&known_at=${EVENING}`);
    expect(known).to.include({ period_end: '2024-03-19' }).and.not.to.have.property('today_basis');
    const past = await of(`/accuracy/summary?station_id=KORD&as_of=${EVENING}`);
    expect(past).to.include({ period_end: '2024-03-20' }).and.not.to.have.property('today_basis');
    now = '2024-04-20T03:00:00Z';
    expect((await of(`/accuracy/summary?station_id=KORD&as_of=${EVENING}`)).period_end).to.equal(
      '2024-03-20',
    );
  });

  itInCi('given a CSV or an export, then it has the same days', async () => {
    now = EVENING;
    const { fileName } = await readCsv(contract, '/api/v1/accuracy/by-date?station_id=KORD&days=2');
    expect(fileName).to.equal('accuracy-by-date-KORD-high-2024-03-18-2024-03-19.csv');
    const { headers } = await contract.get('/api/v1/export/pairs?station_id=KORD&days=2');
    expect(headers['content-disposition']).to.match(/2024-03-18-2024-03-19/);
  });

  it('given midnight at the station, then the answer before it is not kept for the question after it', async () => {
    const tagAt = (moment: string, path: string) => {
      now = moment;
      return contract.tag(`/api/v1/accuracy/summary${path}`);
    };
    const [before, midnight] = ['2024-03-20T04:59:59Z', '2024-03-20T05:00:00Z'];
    expect(await tagAt(before, '?station_id=KORD')).not.to.equal(await tagAt(midnight, '?station_id=KORD'));
    expect(await tagAt(before, '')).to.equal(await tagAt(midnight, ''));
    expect((await of('/accuracy/summary?station_id=KORD')).period_end).to.equal('2024-03-20');
    expect(await tagAt('2024-03-19T23:59:59Z', '?station_id=KORD')).to.equal(
      await tagAt('2024-03-20T00:00:00Z', '?station_id=KORD'),
    );
  });

  describeInCi('given a day that has ended', () => {
    it('when it ends at the station, then odds say so from then on; of a day in UTC without a station', async () => {
      const then = `&station_id=KORD`;
      for (const [moment, query, hint] of [
        ['2024-03-20T04:59:00Z', `2024-03-19${then}`, undefined],
        ['2024-03-20T05:00:00Z', `2024-03-19${then}`, '2024-03-19 has ended at KORD: /data/observations'],
        ['2024-03-19T23:59:00Z', '2024-03-19', undefined],
        ['2024-03-20T00:00:00Z', '2024-03-19', '2024-03-19 has ended (UTC)'],
        [NIGHT, `2024-03-19${then}&known_at=${EVENING}`, undefined],
        [NIGHT, `2024-03-19${then}&as_of=${EVENING}`, undefined],
        [NIGHT, `2024-03-18${then}&as_of=${EVENING}`, '2024-03-18 has ended'],
      ] as const) {
        now = moment;
        const found = await of(`/probability?forecast=50&lead_hours=12&window=60&target_date=${query}`);
        expect((found.hint as string | undefined)?.slice(0, hint?.length), `${moment} ${query}`).to.equal(
          hint,
        );
      }
    });

    it('when a forecast of it is to be corrected, then the metadata say so', async () => {
      now = EVENING;
      const path = '/accuracy/bias-correction?station_id=KORD&forecast_for_date=';
      expect((await of(`${path}2024-03-18`)).hint).to.match(/^2024-03-18 has ended at KORD/);
      expect(await of(`${path}2024-03-19`)).not.to.have.property('hint');
    });
  });
});
