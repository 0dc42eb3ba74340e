import type { Endpoint } from '../http/endpoint.js';
import { byCity } from './by-city.js';
import { byDate } from './by-date.js';
import { byLeadTime } from './by-lead-time.js';
import { byStation } from './by-station.js';
import { stationsMetadata } from './stations-metadata.js';
import { summary } from './summary.js';

/** The API's table of contents: every endpoint below /api/v1. */
export const ENDPOINTS: readonly Endpoint[] = [
  byDate,
  byStation,
  summary,
  byLeadTime,
  byCity,
  stationsMetadata,
];
