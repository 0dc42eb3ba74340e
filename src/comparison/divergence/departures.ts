import { z } from 'zod';
import { getSubject, VERSION_METADATA } from '../../api/accuracy-metadata.js';
import { difference, ofVariable, temperature, toTenThousandths } from '../../api/kinds.js';
import { defineEndpoint, type Sources } from '../../api/endpoint.js';
import { count, leadTimeBucket, numberOrNull, providerName, STATION } from '../../api/fields.js';
import { defineGroup } from '../../api/groups.js';
import { dailyVariable, level } from '../../api/params/common.js';
import { dailyChoices, nameChoices, writeChoices } from '../../api/params/variable-choices.js';
import { VARIABLE_METADATA, variableMetadata } from '../../api/params/variable-metadata.js';
import { DAILY_NAMES, VARIABLE_NAMES } from '../../variables/variables.js';
import { page, PAGE_METADATA, makePage, getVersion } from '../../api/params/row-pages.js';
import { presentMoment } from '../../api/params/present.js';
import { STATIONS_METADATA, stationsInName, stationsTogether } from '../../api/params/station-params.js';
import {
  temperatureUnit,
  UNIT_METADATA,
  unitColumns,
  unitMetadata,
} from '../../api/params/temperature-unit.js';
import { asOf } from '../../api/params/as-of.js';
import { instantText } from '../../queries/issuances.js';
import { mapCooperatively } from '../../lib/yield-to-event-loop.js';
import { addDays, dateAt, HOUR_MS } from '../../statistics/time/calendar.js';
import { bucketOfLead } from '../../statistics/time/lead-time.js';
import { weekOfDay, type Window } from '../../statistics/time/window.js';
import { departuresToCome, type DepartureToCome } from './days-to-come.js';
import { type DivergenceParams, readShares } from './diverging-cases.js';
import { departure, divergingProviders } from './divergence-params.js';
import { shareFields, shareTrue } from './record.js';

/** The days before from which share_true is known. */
const TRAINING_DAYS = 90;

/** A station with fewer departures says less than the network. */
const MIN_DEPARTURES = 30;

/** The moment of the request, Unix ms: a new one each quarter of an hour. */
const moment = defineGroup({
  parameters: {},
  read: () => (present) => presentMoment(present),
});

/** A value of the variable. @param stem its name before _f, where another field has that */
const value = (stem?: string) => ofVariable(temperature(), DAILY_NAMES, stem);

/** GET /api/v1/data/departures: forecasts of days to come that are far from the others. */
export const departures = defineEndpoint({
  paths: ['/data/departures'],
  operationId: 'getDepartures',
  summary: 'Departures of days to come',
  description:
    "Where the providers' latest forecasts differ, of each station's today and the days after it: forecasts that are at least " +
    '`threshold` from the median of the others, the largest departure first. Each has how far the observation went the ' +
    `provider's way in the last ${TRAINING_DAYS} days (\`share_true\`, as in /accuracy/divergence), and the value to ` +
    'expect (`expected_f`).',
  example: { query: 'threshold=1&limit=2' },
  groups: {
    station: stationsTogether,
    metric: dailyVariable,
    choices: dailyChoices,
    provider: divergingProviders,
    threshold: departure,
    level,
    asOf,
    moment,
    unit: temperatureUnit,
    page: page(50),
  },
  record: z
    .object({
      ...STATION,
      target_date: z.iso.date(),
      provider: z.string().meta({ description: 'The provider that departs', example: 'other' }),
      forecast: value().meta({ description: 'Its latest forecast, °F' }),
      others_median: value('others').meta({ description: "The median of the others' latest forecasts, °F" }),
      departure: difference().meta({
        description: 'forecast less others, °F: above 0 it is warmer than they',
      }),
      issued_at: z.iso.datetime().meta({ description: 'When it was issued, UTC' }),
      lead_time_hours: toTenThousandths().meta({
        description: 'Hours from issuance to the start of target_date at the station',
      }),
      lead_time_bucket: leadTimeBucket,
      ...shareTrue,
      share_true_of: z
        .enum(['station', 'network'])
        .nullable()
        .meta({
          description:
            `Where share_true was learned, from departures of the provider at this lead time: at the station, or with fewer ` +
            `than ${MIN_DEPARTURES} of them at all stations; null without any`,
        }),
      departures: count('How many of them there were'),
      expected: numberOrNull(
        'the median of the others + share_true · departure, °F; null without share_true',
        value,
      ),
      others: z
        .array(
          z.object({
            other_provider: z.string(),
            other_forecast: value().meta({ description: '°F' }),
            other_issued_at: z.iso.datetime().meta({ description: 'When it was issued, UTC' }),
          }),
        )
        .meta({ description: 'The latest forecasts of the others, by provider' }),
    })
    .meta({ id: 'Departure' }),
  metadata: {
    ...PAGE_METADATA,
    learned_from: z.iso.date().meta({ description: 'First day from which share_true is known' }),
    learned_to: z.iso.date().meta({ description: 'Last such day' }),
    ...STATIONS_METADATA,
    provider: providerName,
    accuracy_metric: z.enum(VARIABLE_NAMES),
    ...VARIABLE_METADATA,
    ...UNIT_METADATA,
    ...VERSION_METADATA,
  },

  async handle(params, { query, directory }) {
    const { station, metric, choices, provider, threshold, level, asOf, moment, unit, page } = params;
    const version = await getVersion(page, asOf, query);
    const found = await query(departuresToCome({ ...params, moment_ms: moment }, version), 'long');
    const { rows, metadata, headers } = makePage(found, page, version);
    const today = dateAt(moment);
    const window: Window = {
      period_start: addDays(today, -TRAINING_DAYS),
      period_end: addDays(today, -1),
      days_analyzed: TRAINING_DAYS,
    };
    const subject = { metric, choices, provider, threshold, window, asOf: { version } };
    const requested = { ...subject, leadTimes: { leads: 'some' as const, buckets: [] } };
    const computeShare = await sharesOfRows(rows, requested, level, query);
    return {
      data: await mapCooperatively(rows, (row) => {
        const { share, ...trained } = computeShare(row);
        const [others, distance] = [row.others / 200, row.departure / 200];
        return {
          station_id: row.station_id,
          city_name: directory.stations.cityName(row.station_id),
          target_date: row.target_date,
          provider: row.provider,
          forecast: row.forecast_hundredths / 100,
          others_median: others,
          departure: distance,
          issued_at: instantText(row.issued_ms),
          lead_time_hours: (row.begins_ms - row.issued_ms) / HOUR_MS,
          lead_time_bucket: getBucket(row),
          ...trained,
          expected: share === null ? null : others + share * distance,
          others: row.said
            .filter(([name]) => name !== row.provider)
            .map(([name, forecast, issued_ms]) => ({
              other_provider: name,
              other_forecast: forecast / 100,
              other_issued_at: instantText(issued_ms),
            })),
        };
      }),
      metadata: {
        ...metadata,
        learned_from: window.period_start,
        learned_to: window.period_end,
        ...getSubject({ station, provider, metric, asOf, knownAt: undefined }),
        ...unitMetadata(unit),
        ...variableMetadata(metric, unit, choices),
      },
      csvConstants: { metric, ...writeChoices(choices), ...unitColumns(metric, unit) },
      headers,
      fileNameParts: [...stationsInName(station), metric, ...nameChoices(choices), today],
    };
  },
});

const getBucket = ({ begins_ms, issued_ms }: DepartureToCome) => bucketOfLead(begins_ms - issued_ms);

/** The share_true of earlier departures: of each row, at its station, or where there were few, of the network. */
async function sharesOfRows(
  rows: readonly DepartureToCome[],
  requested: DivergenceParams & { window: Window },
  level: number,
  query: Sources['query'],
) {
  const buckets = [...new Set(rows.map(getBucket))];
  const stations = [...new Set(rows.map(({ station_id }) => station_id))].map((station_id) => ({
    station_id,
  }));
  const params = { ...requested, leadTimes: { leads: 'some' as const, buckets } };
  const [ofStations, ofNetwork] =
    rows.length === 0
      ? [[], []]
      : await Promise.all([
          query(
            readShares({ ...params, station: stations }, ['provider', 'lead_time_bucket', 'station']),
            'long',
          ),
          query(readShares(params, ['provider', 'lead_time_bucket']), 'long'),
        ]);
  const weekOf = weekOfDay(requested.window);
  return (row: DepartureToCome) => {
    const isAlike = (each: { provider: string; lead_time_bucket?: string | undefined }): boolean =>
      each.provider === row.provider && each.lead_time_bucket === getBucket(row);
    const own = ofStations.find((each) => isAlike(each) && each.station_id === row.station_id);
    const isOwn = own !== undefined && own.departures >= MIN_DEPARTURES;
    const sums = isOwn ? own : ofNetwork.find(isAlike);
    const { found, fields } = shareFields(sums?.products ?? [], sums?.squares ?? [], weekOf, level);
    return {
      share: found.value,
      ...fields,
      share_true_of: sums === undefined ? null : isOwn ? ('station' as const) : ('network' as const),
      departures: sums?.departures ?? 0,
    };
  };
}
