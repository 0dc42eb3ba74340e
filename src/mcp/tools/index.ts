import type { Tool } from '../tool.js';
import { compareForecasts } from './compare-providers.js';
import { dataStatus } from './data-status.js';
import { findStations } from './find-stations.js';
import { forecastAccuracy } from './forecast-accuracy.js';
import { forecastPairs } from './forecast-pairs.js';
import { forecastsForDay } from './forecasts-for-day.js';
import { probabilityTool } from './odds.js';

/** Every tool, in the order of the list. */
export const TOOLS: readonly Tool[] = [
  findStations,
  forecastAccuracy,
  compareForecasts,
  probabilityTool,
  forecastsForDay,
  forecastPairs,
  dataStatus,
];
