import type { Download, Endpoint } from './api/endpoint.js';
import { errorDistribution } from './accuracy/distribution/error-distribution.js';
import { eventAccuracy } from './accuracy/events/events.js';
import { exceedance, exceedanceSummary } from './accuracy/exceedance.js';
import { distribution } from './probability/distribution/distribution.js';
import { freshness } from './accuracy/freshness.js';
import { sampleSize } from './accuracy/sample-size.js';
import { updateFrequency } from './accuracy/update-frequency.js';
import { apiIndex } from './meta/api-index.js';
import { compare } from './comparison/compare.js';
import { departures } from './comparison/divergence/departures.js';
import { divergence } from './comparison/divergence/divergence.js';
import { skillAgainstReference } from './comparison/skill/skill.js';
import { byBucket } from './accuracy/by-bucket.js';
import { byChance } from './accuracy/by-chance.js';
import { byCity } from './accuracy/by-city.js';
import { byDate } from './accuracy/by-date.js';
import { byHour } from './accuracy/by-hour.js';
import { byLeadTime } from './accuracy/lead-time/by-lead-time.js';
import { byStation } from './accuracy/by-station.js';
import { byWeatherRegime } from './accuracy/within-day/by-weather-regime.js';
import { forecastActual } from './data/forecast-actual.js';
import { forecasts } from './data/forecasts.js';
import { hours } from './data/hours.js';
import { observations } from './data/observations.js';
import { runStats } from './data/run-stats.js';
import { exportFacts } from './data/export-facts.js';
import { exportPairs } from './data/export-pairs.js';
import { hitRate } from './accuracy/hit-rate.js';
import { loads } from './meta/loads.js';
import { peakTimingOfStation } from './accuracy/within-day/peak-timing.js';
import { biasCorrection } from './probability/bias-correction.js';
import { probability } from './probability/probability.js';
import { reliability } from './probability/reliability.js';
import { providers } from './meta/providers.js';
import { revisionStats } from './accuracy/revision-stats.js';
import { stationsMetadata } from './meta/stations-metadata.js';
import { summary } from './accuracy/summary.js';
import { usage } from './meta/usage.js';
import { EVENTS } from './events/mount-events.js';
import { SEALS } from './seals/routes/mount-seals.js';
import { suspects } from './data/suspects/suspects.js';

/** Every download below /api/v1. */
export const DOWNLOADS: readonly Download[] = [exportPairs, exportFacts];

const DATA_ENDPOINTS = [
  byDate,
  byHour,
  byStation,
  summary,
  byLeadTime,
  byCity,
  byWeatherRegime,
  hitRate,
  byBucket,
  byChance,
  revisionStats,
  exceedance,
  exceedanceSummary,
  eventAccuracy,
  errorDistribution,
  distribution,
  peakTimingOfStation,
  biasCorrection,
  probability,
  reliability,
  sampleSize,
  updateFrequency,
  freshness,
  compare,
  divergence,
  skillAgainstReference,
  forecastActual,
  forecasts,
  observations,
  hours,
  departures,
  suspects,
  runStats,
  stationsMetadata,
  providers,
  loads,
  usage,
];

/** The API's table of contents: every endpoint below /api/v1. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...DATA_ENDPOINTS,
  apiIndex(DATA_ENDPOINTS, [...DOWNLOADS, EVENTS, ...SEALS]),
];
