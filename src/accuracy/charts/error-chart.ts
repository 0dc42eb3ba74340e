import type { z } from 'zod';
import { stationOrAll } from '../../api/params/station-params.js';
import type { stats } from '../../api/records/stats.js';
import { getUnitText, type Unit } from '../../variables/units.js';
import { type VariableName, VARIABLES } from '../../variables/variables.js';
import type { Window } from '../../statistics/time/window.js';
import { type Chart, chartSvg } from './chart.js';

interface ChartParams {
  station: Parameters<typeof stationOrAll>[0];
  provider: { name: string };
  metric: VariableName;
  window: Window;
  unit: Unit;
}

/** The chart of the MAE and the bias of a request, point by point; of chances that of their Brier score, which alone judges them. */
export function errorChart(
  { station, provider, metric, window, unit }: ChartParams,
  by: string,
  axis: Chart['axis'],
  points: readonly { at: string; stats: z.output<typeof stats> }[],
): string {
  const { period_start, period_end } = window;
  const { what, ...drawn } =
    VARIABLES[metric].score === 'brier_score'
      ? ({ what: 'Brier score', unit: '0 to 1', lines: ['Brier'], top: 0.25, digits: 3 } as const)
      : ({
          what: 'Errors',
          unit: getUnitText(metric, unit),
          lines: ['MAE', 'Bias'],
          top: 1,
          digits: 2,
        } as const);
  return chartSvg({
    ...drawn,
    title: `${what} by ${by}`,
    axis,
    subject: `${stationOrAll(station).city_name}, ${VARIABLES[metric].period === 'day' ? 'daily ' : ''}${VARIABLES[metric].plural}, ${provider.name}, ${period_start} to ${period_end}`,
    points: points.map(({ at, stats: { mae, mean_error, brier_score, verification_pairs } }) => ({
      at,
      values: drawn.lines.length === 1 ? [brier_score ?? null] : [mae, mean_error],
      weight: verification_pairs,
    })),
  });
}
