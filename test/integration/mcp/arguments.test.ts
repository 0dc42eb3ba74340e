import { expect } from 'chai';
import { sharedContract } from '../../support/contract/contract.js';
import { Listening } from '../../support/listen.js';
import { Assistant } from '../../support/mcp/assistant.js';

const DATES = { date_from: '2024-03-16', date_to: '2024-03-19' };

describe('POST /mcp, given arguments that cannot be used, then all faults are told at once, in its words', () => {
  let listening: Listening;
  let assistant: Assistant;
  before(async () => {
    const { service } = await sharedContract();
    listening = await Listening.start(service);
    assistant = await Assistant.connect(listening.url, service.key);
  });
  after(async () => {
    await assistant.close();
    await listening.stop();
  });

  const FAULTS: [
    tool: string,
    given: Record<string, unknown>,
    faults: [parameter: string, message: RegExp][],
  ][] = [
    [
      'forecast_accuracy',
      { plase: 'KORD', metric: 'hgih', days: 0, by: 'lead', place: { id: 1 } },
      [
        ['place', /must be a text/],
        ['plase', /did you mean place\?/],
        ['by', /one of none, date/],
        ['days', /from 1 to 365/],
        ['metric', /high, low/],
      ],
    ],
    ['forecast_accuracy', { by: 'date', sort_by: 'mae', worst_first: true }, [['sort_by', /no meaning with by=date/], ['worst_first', /ranks stations/]]], // prettier-ignore
    ['forecast_accuracy', { ...DATES, date_from: '2024-03-30' }, [['date_from', /after date_to|date_to/]]],
    ['compare', {}, [['of', /is missing.*one of providers, reference, windows, places$/]]],
    ['forecasts_for_day', { place: 'KORD', date: 'today' }, [['date', /did you mean target_date\?/]]],
    ['odds', { place: 'KORD', target_date: 'saturday', forecast: 50 }, [['target_date', /calendar date.*; or yesterday, today, tomorrow$/]]], // prettier-ignore
    ['compare', { of: 'windows', providers: 'a,b', by: 'station', other_date_to: '2024-02-30' }, [['other_date_from', /is missing/], ['other_date_to', /calendar date/], ['providers', /no meaning with of=windows/]]], // prettier-ignore
    ['compare', { of: 'places', place: 'KORD', other_place: 'KPDX', by: 'station' }, [['by', /no meaning/]]],
    ['compare', { of: 'reference', by: 'month' }, [['by', /month has no meaning with of=reference/]]], // prettier-ignore
    ['compare', { of: 'providers', provider: 'a', by: 'station', other_place: 'KORD', other_date_to: '2024-03-01' }, [['provider', /no meaning with of=providers/], ['other_place', /no meaning/], ['other_date_to', /no meaning/]]], // prettier-ignore
    ['compare', { of: 'windows', other_date_from: '2024-03-01', other_date_to: '2024-03-02', other_place: 'KORD' }, [['other_place', /no meaning with of=windows/]]], // prettier-ignore
    ['compare', { of: 'places', place: 'KORD', other_place: 'KPDX', other_date_from: '2024-03-01', reference: 'persistence' }, [['other_date_from', /no meaning with of=places/], ['reference', /no meaning with of=places/]]], // prettier-ignore
    [
      'forecasts_for_day',
      { issued: '2024-03-18' },
      [
        ['place', /is missing/],
        ['issued', /is not a parameter/],
      ],
    ],
    [
      'odds',
      { thresholds: '85.5' },
      [
        ['place', /is missing/],
        ['thresholds', /whole degrees/],
      ],
    ],
    [
      'data_status',
      { station_id: 'KORD' },
      [['place', /^is not a parameter \(this tool has no parameters\)$/]],
    ],
    ['forecast_accuracy', { stations: 'KORD', user_intent: 'x', note: null }, [['user_intent', /^is not a parameter \(available: place, /]]], // prettier-ignore
    ['forecast_accuracy', { place: 'KORD', city: 'Boise' }, [['place', /is given 2 times/]]],
    ['find_stations', { other_city: 'Boise' }, [['other_city', /is not a parameter/]]],
    ['forecast_pairs', { limit: 201 }, [['limit', /from 1 to 200/]]],
    ['forecast_pairs', { place: [['KORD']] }, [['place', /or a list of them/]]],
  ];
  for (const [tool, given, faults] of FAULTS) {
    it(`${tool} ${JSON.stringify(given)}`, async () => {
      const { code, details = [] } = await assistant.refused(tool, given);
      expect(code).to.equal('INVALID_PARAMETER');
      const found = details.toSorted((a, b) => (a.parameter < b.parameter ? -1 : 1));
      const wanted = faults.toSorted(([a], [b]) => (a < b ? -1 : 1));
      expect(found.map(({ parameter }) => parameter)).to.deep.equal(wanted.map(([parameter]) => parameter));
      found.forEach(({ message }, at) => expect(message).to.match(wanted[at]?.[1] ?? /^$/));
    });
  }

  it('names of no or several stations are told as by the API, a missing tool as a fault of the call', async () => {
    expect(await assistant.refused('odds', { place: 'KORX', forecast: 50 })).to.include({
      code: 'STATION_NOT_FOUND',
    });
    const { code, message } = await assistant.refused('forecast_accuracy', { place: 'Portland' });
    expect([code, /KPDX.*KPWM/.test(message)]).to.deep.equal(['AMBIGUOUS_CITY', true]);
    const { rows } = await assistant.ask('forecast_accuracy', { place: 'Portland', by: 'city', ...DATES });
    expect(rows.map(({ station_id }) => station_id)).to.deep.equal(['KPDX', 'KPWM']);
    const unknown = await assistant.client.callTool({ name: 'get_summary' }).then(
      () => undefined,
      (error: Error) => error.message,
    );
    expect(unknown).to.match(/Unknown tool "get_summary"/);
  });

  it('what a text, a number and a list say the same is the same; null and blank are absent', async () => {
    const asked = await Promise.all(
      [
        { days: '30', place: 'KORD', provider: null },
        { days: 30, place: ['KORD'], provider: '' },
      ].map((given) => assistant.ask('forecast_accuracy', given)),
    );
    expect(asked[0]?.http).to.deep.equal(asked[1]?.http);
  });

  const ODDS = { place: 'KORD', forecast: 50, lead_hours: 12 };

  it('odds of whole °C are asked for with their calibration, and both say °C', async () => {
    const asked = { ...ODDS, forecast: 10, thresholds: '10', units: 'metric' };
    const { request, rows, calibration, http } = await assistant.ask('odds', asked);
    expect(request).to.include({ temp_unit: 'celsius', forecast_f: 50, forecast_c: 10 });
    expect(rows[0]).to.include({ threshold_f: 50, threshold_c: 10 });
    expect(calibration).to.have.property('crps_c');
    expect(http).to.have.length(2);
    for (const path of http) expect(path).to.include('units=metric');
  });

  for (const [tool, names, given] of [
    ['find_stations', { query: 'KORD' }, { place: 'KORD' }],
    ['forecast_accuracy', { place: 'KORD' }, { station_id: 'KORD' }],
    ['forecast_accuracy', { place: 'KORD' }, { station: 'KORD' }],
    [
      'compare',
      { of: 'places', place: 'KORD', other_place: 'KPDX' },
      { of: 'places', city: 'KORD', other_station_id: 'KPDX' },
    ],
    ['odds', ODDS, { location: 'KORD', forecast: 50, lead_hours: 12 }],
    ['forecasts_for_day', { place: 'KORD' }, { station_id: 'KORD' }],
    ['forecast_pairs', { place: 'KORD' }, { city: 'KORD' }],
  ] as const) {
    // prettier-ignore
    it(`${tool} ${JSON.stringify(given)} is about that place, as ${JSON.stringify(names)}`, async () => {
      const [one, other] = [await assistant.ask(tool, names), await assistant.ask(tool, given)];
      expect(other.http).to.deep.equal(one.http);
      expect(other.total_rows).to.equal(one.total_rows);
    });
  }

  it('by=chance asks for the table of a chance, with the amount that is rain, also where another is named', async () => {
    for (const [metric, requested] of [
      ['wet_6h', 'wet_6h'],
      ['high', 'wet_day'],
    ]) {
      const { http } = await assistant.ask('forecast_accuracy', { by: 'chance', metric, wet_at: '1mm' });
      expect(http[0]).to.match(/^\/api\/v1\/accuracy\/by-bucket\?/);
      const { metric: of, wet_at } = Object.fromEntries(new URLSearchParams(http[0]?.split('?')[1]));
      expect([of, wet_at]).to.deep.equal([requested, '1mm']);
    }
  });

  const BOTH = { by: 'station', place: 'KORD,KMDW' };
  for (const [tool, given, same] of [
    ['forecast_accuracy', { by: 'station', place: '["KORD", "KMDW"]' }, BOTH],
    ['forecast_accuracy', { by: 'station', place: ['KORD', 'KMDW'] }, BOTH],
    [
      'forecast_accuracy',
      { place: 'Chicago', by: 'event', thresholds: '[70, 75]' },
      { place: 'Chicago', by: 'event', thresholds: '70,75' },
    ],
    ['forecast_accuracy', { lead_time_bucket: '0-6h , 6-12h' }, { lead_time_bucket: '0-6h,6-12h' }],
    ['forecast_accuracy', { lead_time_bucket: '["0-6h"]' }, { lead_time_bucket: '0-6h' }],
    ['forecast_accuracy', { thresholds: '[]' }, {}],
    ['odds', { ...ODDS, brackets: '["50-51", "52-53"]' }, { ...ODDS, brackets: '50-51,52-53' }],
    ['odds', { ...ODDS, thresholds: '50, 55' }, { ...ODDS, thresholds: '50,55' }],
    ['find_stations', { near: '41.9602, -87.9316' }, { near: '41.9602,-87.9316' }],
    ['find_stations', { bbox: [-90, 40, -80, 45] }, { bbox: '-90,40,-80,45' }],
  ] as const) {
    // prettier-ignore
    it(`${tool} ${JSON.stringify(given)} is ${JSON.stringify(same)}`, async () => {
      const [one, other] = [await assistant.ask(tool, given), await assistant.ask(tool, same)];
      expect(one.http).to.deep.equal(other.http);
      expect(one.rows).to.deep.equal(other.rows);
    });
  }
});
