import type { Download, Endpoint } from '../api/endpoint.js';
import { apiIndex } from './api-index.js';
import { byBucket } from './by-bucket.js';
import { byCity } from './by-city.js';
import { byDate } from './by-date.js';
import { byLeadTime } from './by-lead-time.js';
import { byStation } from './by-station.js';
import { exportPairs } from './export-pairs.js';
import { hitRate } from './hit-rate.js';
import { loads } from './loads.js';
import { providers } from './providers.js';
import { revisionStats } from './revision-stats.js';
import { stationsMetadata } from './stations-metadata.js';
import { summary } from './summary.js';

/** Every download below /api/v1. */
export const DOWNLOADS: readonly Download[] = [exportPairs];

const QUESTIONS = [
  byDate,
  byStation,
  summary,
  byLeadTime,
  byCity,
  hitRate,
  byBucket,
  revisionStats,
  stationsMetadata,
  providers,
  loads,
];

/** The API's table of contents: every endpoint below /api/v1. */
export const ENDPOINTS: readonly Endpoint[] = [...QUESTIONS, apiIndex(QUESTIONS, DOWNLOADS)];
