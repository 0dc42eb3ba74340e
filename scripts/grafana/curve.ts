import { getValues, isCentred, legend, type Panel, targets, whenEmpty } from './panels.js';
import { LEAD_TIME_BUCKETS } from '../../src/statistics/time/lead-time.js';
import type { GrafanaQuery } from './queries.js';
import type { Json } from './sources.js';

/** The field that counts the records of a response from 0: the x axis, which takes numbers alone. */
const ROW = 'Lead time';

/** A line without a stroke: the edge of a band, which the legend leaves out. */
const edge = (name: string, more: [id: string, value: unknown][] = []): Json => ({
  matcher: { id: 'byName', options: name },
  properties: [
    ['custom.lineWidth', 0],
    ['custom.showPoints', 'never'],
    ['custom.hideFrom', { legend: true, tooltip: false, viz: false }],
    ...more,
  ].map(([id, value]) => ({ id, value })),
});

/**
 * Statistics by lead time, each with its interval as a band where the query has NAME low and NAME high beside NAME. The
 * records of a response are the buckets, in order.
 */
export function curve({
  title,
  description,
  params,
}: {
  title: string;
  description: string;
  params: GrafanaQuery;
}): Panel {
  const names = params.columns.map(({ name }) => name);
  const banded = names.filter((name) => names.includes(`${name} low`));
  return {
    title,
    description,
    width: 12,
    height: 8,
    make: (source) => ({
      type: 'trend',
      targets: targets(source, [params]),
      transformations: [
        {
          id: 'calculateField',
          options: { mode: 'index', alias: ROW, replaceFields: false, index: { asPercentile: false } },
        },
      ],
      fieldConfig: {
        defaults: {
          ...whenEmpty(source, params),
          ...getValues(params.columns[0], false),
          custom: {
            drawStyle: 'line',
            lineWidth: 2,
            fillOpacity: 0,
            showPoints: 'always',
            spanNulls: false,
            axisCenteredZero: params.columns.some(isCentred),
          },
        },
        overrides: [
          {
            matcher: { id: 'byName', options: ROW },
            properties: [
              { id: 'unit', value: 'none' },
              { id: 'decimals', value: 0 },
              {
                id: 'mappings',
                value: [
                  {
                    type: 'value',
                    options: Object.fromEntries(
                      LEAD_TIME_BUCKETS.map((text, index) => [index, { text, index }]),
                    ),
                  },
                ],
              },
            ],
          },
          ...banded.flatMap((name) => [
            edge(`${name} low`),
            edge(`${name} high`, [
              ['custom.fillBelowTo', `${name} low`],
              ['custom.fillOpacity', 20],
            ]),
          ]),
        ],
      },
      options: { xField: ROW, ...legend(true) },
    }),
  };
}
