import { z } from 'zod';
import { LEAD_TIME_BUCKETS, SAME_DAY } from '../statistics/time/lead-time.js';
import { integer, word } from '../api/parameters.js';
import { leadTimes, metric, provider, variable, WINDOW_PARAMETERS } from '../api/params/common.js';
import { chanceChoices } from '../api/params/variable-choices.js';
import { forecastDate } from '../probability/probability-params.js';
import { station, stationsByConditions } from '../api/params/station-params.js';
import { SYSTEMS } from '../variables/declarations.js';
import { CHANCE_NAMES } from '../variables/variables.js';
import { asOf } from '../api/params/as-of.js';
import type { Parameter, Schema } from './tool.js';

// The parameters of tools: the API's own, in fewer words, as every host reads the whole list before a request.

// Without `format`: dates may be words.
const LISTED = ['type', 'enum', 'minimum', 'maximum', 'default'];

/** A schema as the list shows it. Descriptions of the API are three times as long as all of the list. */
function listedSchema(schema: z.ZodType, description?: string): Schema {
  const { enum: words, ...rest } = { ...z.toJSONSchema(schema, { io: 'input' }), ...schema.meta() };
  const found = Object.entries(
    rest.type === 'boolean' ? rest : { ...rest, ...(words && { enum: words, type: undefined }) },
  );
  return {
    ...Object.fromEntries(found.filter(([name, value]) => LISTED.includes(name) && value !== undefined)),
    ...(description !== undefined && { description }),
  };
}

/** A parameter that the API reads. */
export const passed = (schema: z.ZodType, description?: string, kind?: Parameter['kind']): Parameter => ({
  schema: listedSchema(schema, description),
  kind,
});

/** A parameter that the tool reads by itself. */
export const own = (schema: z.ZodType, description?: string, kind?: Parameter['kind']): Parameter => ({
  schema: listedSchema(schema, description),
  own: schema,
  kind,
});

const { station_id } = station.parameters;

export const PLACE = passed(station_id, 'Id, IATA code, city or alias.', 'names');

export const PLACE_OR_ALL = passed(station_id, 'Id, IATA code, city or alias. Without it, all.', 'names');

const { country, climate_zone, near, radius_km, bbox } = stationsByConditions.parameters;

/** Stations chosen by what they are, in place of their names. */
export const REGION = {
  country: passed(country, 'ISO 3166-1, such as US.'),
  climate_zone: passed(climate_zone, 'Köppen, such as Dfa.'),
  near: passed(near, 'Point: 41.88,-87.63.'),
  radius_km: passed(radius_km, 'With near. Default: 50.'),
  bbox: passed(bbox, 'west,south,east,north.'),
};

export const METRIC = passed(metric.parameters.metric, 'Daily high or low.');

export const VARIABLE = passed(
  variable.parameters.metric,
  `hdd, cdd: degree days, base 65 °F. ${CHANCE_NAMES.join(', ')}: chance of rain in the day, or in the hours up to valid_at.`,
);

/** The days of a request; the API says how bounds and length go together. */
export const WINDOW_DAYS: Record<string, Parameter> = {
  days: passed(WINDOW_PARAMETERS.days, 'Length. Without a date, it ends today.'),
  date_from: passed(
    WINDOW_PARAMETERS.date_from,
    'First day: YYYY-MM-DD, yesterday, today or tomorrow.',
    'date',
  ),
  date_to: passed(WINDOW_PARAMETERS.date_to, 'Last day.', 'date'),
};

export const OTHER_WINDOW: Record<string, Parameter> = {
  other_date_from: passed(
    WINDOW_PARAMETERS.date_from,
    'For of=windows, first day of the second window. Default: as long, before the first.',
    'date',
  ),
  other_date_to: passed(WINDOW_PARAMETERS.date_to, 'Last day of it.', 'date'),
};

export const TARGET_DATE = passed(
  forecastDate.parameters.forecast_for_date,
  'Without it, today at the station.',
  'date',
);

/** The provider, the lead time and the data. */
export const FILTERS = {
  provider: passed(provider.parameters.provider, 'data_status lists them.'),
  lead_time_bucket: passed(
    leadTimes.parameters.lead_time_bucket,
    `By commas: ${[...LEAD_TIME_BUCKETS, SAME_DAY].join(', ')}.`,
  ),
  as_of: passed(asOf.parameters.as_of, 'Data of a past load: v412 or a date.', 'instant'),
};

/** The least amount that is rain. */
export const WET_AT = passed(chanceChoices.parameters.wet_at, 'Amount that is rain: 1mm. Default: 0.01in.');

export const UNITS = passed(word(SYSTEMS, ''), 'Default: °F, kt, inches.');

/** The most rows of a response. */
export const limit = (max: number, fallback: number): Parameter =>
  own(integer(1, max, fallback, ''), 'Most rows.');
