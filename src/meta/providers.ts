import { z } from 'zod';
import { defineEndpoint } from '../api/endpoint.js';
import { count } from '../api/fields.js';
import { ownParameters } from '../api/groups.js';
import { flag } from '../api/parameters.js';
import { readAlarms } from '../monitoring/alarm.js';
import { OF_DAYS } from '../queries/conditions.js';
import { sql } from '../queries/sql.js';
import { getSources, VARIABLE_NAMES } from '../variables/variables.js';

const usageCounts = z.object({
  stations: count('Stations with a verification pair'),
  first_target_date: z.iso
    .date()
    .nullable()
    .meta({ description: 'First day with a pair; null without pairs' }),
  last_target_date: z.iso.date().nullable().meta({ description: 'Last day with a pair; null without pairs' }),
  verification_pairs: count('Forecast-actual pairs, highs and lows'),
});

// HAVING: a day keeps its rows when all its pairs are withdrawn.
const providersSql = sql.rows(usageCounts.extend({ provider: z.string() }))`
  SELECT
    provider, uniqExact(station_id) AS stations, min(target_date) AS first_target_date,
    max(target_date) AS last_target_date, sum(pairs) AS verification_pairs
  FROM (
    SELECT provider, station_id, target_date, sum(pair_count) AS pairs
    FROM station_day_counts
    WHERE ${OF_DAYS}
    GROUP BY provider, station_id, target_date
    HAVING pairs != 0
  )
  GROUP BY provider`;

const variablesSql = sql.rows(z.object({ provider: z.string(), with_pairs: z.array(z.string()) }))`
  SELECT provider, groupUniqArray(toString(metric)) AS with_pairs
  FROM (SELECT provider, metric FROM station_day_counts GROUP BY provider, metric HAVING sum(pair_count) != 0)
  GROUP BY provider`;

const NO_USAGE = { stations: 0, first_target_date: null, last_target_date: null, verification_pairs: 0 };

/** GET /api/v1/providers: the issuers of forecasts (D27). An addition to the interface. */
export const providers = defineEndpoint({
  paths: ['/providers'],
  operationId: 'getProviders',
  summary: 'Providers of forecasts',
  description:
    'All providers with forecasts that are not withdrawn, by name, with their alarms: one that repeats old values. ' +
    'Requests without `provider` use the default one.',
  example: {},
  groups: {
    own: ownParameters({
      variables: flag(false, 'Whether to list the variables with pairs of each provider'),
    }),
  },
  record: z
    .object({
      provider: z.string().meta({ example: 'default' }),
      is_default: z.boolean().meta({ description: 'Whether requests without a provider use this one' }),
      ...usageCounts.shape,
      variables: z.array(z.string()).optional().meta({
        description:
          'With variables=true: values of `metric` with a pair: variables of the feeds, and those that follow from them',
      }),
      alarms: z
        .array(z.string())
        .meta({ description: 'Current alarms, as of the last load, each in a sentence' }),
    })
    .meta({ id: 'Provider' }),
  metadata: {},
  requested: ({ own }) => ({ ...own }),

  async handle({ own }, { query, directory }) {
    const [rows, found] = await Promise.all([
      query(providersSql),
      own.variables ? query(variablesSql) : undefined,
    ]);
    const alarms = await readAlarms(query);
    return {
      data: directory.providers.all.map(({ name, isDefault }) => {
        const withPairs = found?.find(({ provider }) => provider === name)?.with_pairs ?? [];
        return {
          provider: name,
          is_default: isDefault,
          ...(rows.find(({ provider }) => provider === name) ?? NO_USAGE),
          ...(found && {
            variables: VARIABLE_NAMES.filter((each) =>
              getSources(each).every((source) => withPairs.includes(source)),
            ),
          }),
          alarms: alarms.filter(({ provider }) => provider === name).map(({ message }) => message),
        };
      }),
      metadata: {},
    };
  },
});
