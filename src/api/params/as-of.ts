import { z } from 'zod';
import type { AsOf, VersionName } from '../../stations/versions.js';
import { defineGroup, oneParameter } from '../groups.js';
import { parseBy, parseInstant, withPlus, word } from '../parameters.js';
import { presentDate } from './present.js';
import { date, window } from './common.js';

// The groups by which a request goes back in time (D31): to a version of the data, or to what could be known.

/** An instant from 1970 on, as all dates are. */
const instantSince1970 = (text: string): number | undefined => {
  const instant_ms = parseInstant(text);
  return instant_ms === undefined || instant_ms < 0 ? undefined : instant_ms;
};

/** The text that names a version: its number, and the timeline if it is given. */
export const VERSION_NAME = /^v([1-9]\d{0,8})(?:\.([a-z0-9]{4}))?$/;

/** The version that a text names: v412, with its timeline or without, or the last one at an instant. */
function versionName(requested: string): VersionName | undefined {
  const [, load_id, timeline] = VERSION_NAME.exec(requested) ?? [];
  if (load_id !== undefined) return { requested, load_id: Number(load_id), timeline };
  const instant_ms = instantSince1970(requested);
  return instant_ms === undefined ? undefined : { requested, instant_ms };
}

const AS_OF = z
  .string()
  .transform(withPlus)
  .transform(
    parseBy(
      versionName,
      'must be a version such as v412 or v412.k7q2, a date (00:00Z of it), or an instant with Z or an offset, such as 2026-10-01T06:00:00Z, from 1970-01-01 on',
    ),
  )
  .optional()
  .meta({
    type: 'string',
    description:
      'The data as they were at a version (v412: `metadata.data_version` of a response, or one of /api/v1/loads), or at ' +
      'an instant (the last load finished by then; a date is 00:00Z of it). Within one timeline, a version always ' +
      'gives the same response. v412.k7q2 adds `metadata.timeline`: caches may keep its response, and it is refused once ' +
      'a restored backup has begun another timeline. A window without bounds ends on that day. Station names and the ' +
      'default provider are those of the version; a station that it does not have yet has no pairs',
  });

/** The version of the data that a request is put to (D31); undefined for the latest. */
export const asOf = defineGroup({
  parameters: { as_of: AS_OF },
  read({ as_of }, { now }) {
    if ((as_of?.instant_ms ?? 0) > now) {
      const message = 'is in the future; leave it out for the latest data';
      return [{ parameter: 'as_of', message }];
    }
    return ({ directory }) => directory.asOf;
  },
  cacheKey: (found: AsOf | undefined) => found?.requested,
});

const KNOWN_AT = z
  .string()
  .transform(withPlus)
  .transform(
    parseBy(
      instantSince1970,
      'must be a date (00:00Z of it), or an instant with Z or an offset, such as 2026-10-01T06:00:00Z, from 1970-01-01 on',
    ),
  )
  .optional()
  .meta({
    type: 'string',
    description:
      'Uses only what had been reported by this instant: forecasts issued by then, against the best observation ' +
      'reported by then, whenever they were loaded. A date is 00:00Z of it. A window without bounds ends on that ' +
      'day. For one station, for several over at most 62,000 station days, or for all over at most 31 days. Only as ' +
      'good as observed_at in the feeds: see metadata.late_reports',
  });

/** The instant by which everything that counts could be known, Unix ms (D31); undefined for no limit. */
export const knownAt = defineGroup({
  parameters: { known_at: KNOWN_AT },
  read({ known_at }, { now }) {
    if ((known_at ?? 0) <= now) return () => known_at;
    return [{ parameter: 'known_at', message: 'is in the future; give an instant up to now' }];
  },
});

/** The days of a request that may say what was known when: without bounds they end there, so known_at is listed with them. */
export const windowUpToKnown = defineGroup({
  ...window,
  parameters: { ...window.parameters, ...knownAt.parameters },
});

/** The UTC days of such a request, whichever stations it is about. */
export const windowOfUtcDays: typeof windowUpToKnown = {
  ...windowUpToKnown,
  read(given, request) {
    const found = windowUpToKnown.read(given, request);
    return Array.isArray(found) ? found : (present) => found({ ...present, station: undefined });
  },
};

/** One target date. */
export const targetDate = defineGroup({
  parameters: {
    forecast_for_date: date(
      'The target date; default: today at the station asked about, else in UTC, or the day of as_of',
    ),
  },
  read:
    ({ forecast_for_date }) =>
    (present) =>
      forecast_for_date ?? presentDate(present),
});

/** Which of the values of one key, of which each load may bring another. */
export const versions = oneParameter(
  'versions',
  word(
    ['latest', 'all'],
    'latest: the values that hold now; all: also those that a later load corrected or withdrew',
  ).default('latest'),
);
