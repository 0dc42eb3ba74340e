import type { z } from 'zod';
import { stationOrAll } from '../../api/params/station-params.js';
import type { stats } from '../../api/records/stats.js';
import { getUnitText, type Unit } from '../../statistics/units.js';
import { type VariableName, VARIABLES } from '../../statistics/variables.js';
import type { Window } from '../../statistics/time/window.js';
import { type Chart, chartSvg } from './chart.js';

interface ChartParams {
  station: Parameters<typeof stationOrAll>[0];
  provider: { name: string };
  metric: VariableName;
  window: Window;
  unit: Unit;
}

/** The chart of the MAE and the bias of a request, point by point. */
export function errorChart(
  { station, provider, metric, window, unit }: ChartParams,
  title: string,
  axis: Chart['axis'],
  points: readonly { at: string; stats: z.output<typeof stats> }[],
): string {
  const { period_start, period_end } = window;
  return chartSvg({
    title,
    axis,
    subject: `${stationOrAll(station).city_name}, ${VARIABLES[metric].period === 'day' ? 'daily ' : ''}${VARIABLES[metric].plural}, ${provider.name}, ${period_start} to ${period_end}`,
    unit: getUnitText(metric, unit),
    lines: ['MAE', 'Bias'],
    points: points.map(({ at, stats: { mae, mean_error, verification_pairs } }) => ({
      at,
      values: [mae, mean_error],
      weight: verification_pairs,
    })),
  });
}
