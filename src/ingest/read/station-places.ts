import { IANAZone } from 'luxon';
import type { StationFact } from '../../feeds/stations.js';
import { isExchanged } from './exchanged.js';
import type { Reason } from '../../feeds/values.js';

// Where a station lies: a place that is hardly true gets a warning, one that moves a note.

/** No place lies farther from its zone: Xinjiang is 3 hours away, and a wrong sign moves America by 10 and more. */
const FARTHEST_FROM_ZONE_HOURS = 4;

const MOVED_DEGREES = 0.05;

/** Istanbul has 1 hour more as it is than with latitude and longitude exchanged, and no place has 2. */
const ZONE_SURE_HOURS = 2;

/** How many hours of the sun a longitude is from a zone, whose clocks leave it in one half of the year at most. */
function hoursBetween(longitude: number, timezone: string): number {
  const zone = IANAZone.create(timezone);
  const offsets = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)].map((instant) => zone.offset(instant) / 60);
  const distance = offsets.map((offset) => {
    const hours = Math.abs(offset - longitude / 15) % 24; // 14 hours ahead is 10 hours behind: Kiribati
    return Math.min(hours, 24 - hours);
  });
  return Math.min(...distance);
}

/**
 * A warning where a station is in its country only with latitude and longitude exchanged, or its longitude is far from its time
 * zone. @param known the station as it is stored; one at the same place is not looked up again
 */
export function placeWarning(station: StationFact, known: StationFact | undefined): Reason | undefined {
  const { country, latitude, longitude, timezone } = station;
  const distance = hoursBetween(longitude, timezone);
  const isStored = known?.latitude === latitude && known.longitude === longitude;
  // Where the zone speaks for the place as it is, the outline of the country is not needed.
  if (!isStored && hoursBetween(latitude, timezone) < distance + ZONE_SURE_HOURS && isExchanged(station)) {
    return {
      reason: 'latitude and longitude exchanged',
      detail: `latitude=${latitude}, longitude=${longitude} is not in ${country}; the other way round it is`,
    };
  }
  if (distance <= FARTHEST_FROM_ZONE_HOURS) return undefined;
  return {
    reason: 'longitude far from its time zone',
    detail: `longitude=${longitude}, timezone=${timezone}: ${Math.round(distance)} hours apart`,
  };
}

/** A note where a station is some km from where it was: that is no better reading of the same place. */
export function moveNote(station: StationFact, before: StationFact): Reason | undefined {
  const { latitude, longitude } = station;
  const degrees = Math.hypot(latitude - before.latitude, longitude - before.longitude);
  if (degrees < MOVED_DEGREES - 1e-9) return undefined; // 87.98 - 87.93 is 0.04999999999999716
  return {
    reason: 'moved: observations of both places count as those of one station',
    detail: `${station.station_id} to ${latitude}, ${longitude}, before at ${before.latitude}, ${before.longitude}`,
  };
}
