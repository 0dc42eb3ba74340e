import { abroad, EGLL, KDEN, KNYC, KORD, place, RJTT, type StubPlace } from '../world.js';

// Twenty stations of six kinds, with the names that archives have for them: outside the lower 48 a climate report is named
// after the first letter of its office and the three of its product.

const of = (wfo: string, state: string, rest: Partial<StubPlace> = {}): Partial<StubPlace> => ({
  wfo,
  state,
  ...rest,
});
const ofAlaska = (wfo: string, climate_report_id: string): Partial<StubPlace> =>
  of(wfo, 'AK', { climate_report_id, office_letter: 'P' });
const ofHawaii = (climate_report_id: string): Partial<StubPlace> =>
  of('HFO', 'HI', { climate_report_id, office_letter: 'P' });

const LOWER_48 = [
  KNYC,
  KORD,
  KDEN,
  // The point of Miami is 5.1 km from its airport.
  place(
    'KMIA',
    'Miami',
    25.7881,
    -80.3169,
    'America/New_York',
    of('MFL', 'FL', { point_north_degrees: 0.046 }),
  ),
  place('KLAX', 'Los Angeles', 33.9382, -118.3866, 'America/Los_Angeles', of('LOX', 'CA')),
  place('KSEA', 'Seattle', 47.4447, -122.3144, 'America/Los_Angeles', of('SEW', 'WA')),
  place('KBOS', 'Boston', 42.3606, -71.0097, 'America/New_York', of('BOX', 'MA')),
  place('KIAH', 'Houston', 29.9844, -95.3607, 'America/Chicago', of('HGX', 'TX')),
  place('KATL', 'Atlanta', 33.6301, -84.4418, 'America/New_York', of('FFC', 'GA')),
];
const ALASKA = [
  place('PABE', 'Bethel', 60.785, -161.8293, 'America/Anchorage', ofAlaska('AFC', 'PBET')),
  place('PAOM', 'Nome', 64.511, -165.44, 'America/Nome', ofAlaska('AFG', 'POME')),
  place('PAFA', 'Fairbanks', 64.8039, -147.8761, 'America/Anchorage', ofAlaska('AFG', 'PFAI')),
  place('PAJN', 'Juneau', 58.3566, -134.564, 'America/Juneau', ofAlaska('AJK', 'PJNU')),
];
const HAWAII = [
  place('PHTO', 'Hilo', 19.7191, -155.053, 'Pacific/Honolulu', ofHawaii('PITO')),
  place('PHLI', 'Lihue', 21.984, -159.3405, 'Pacific/Honolulu', ofHawaii('PLIH')),
  place('PHOG', 'Kahului', 20.8999, -156.4286, 'Pacific/Honolulu', ofHawaii('POGG')),
];
/** Its office is JSJ in the list of stations, and SJU in its bulletins. */
const SAN_JUAN = place(
  'TJSJ',
  'San Juan',
  18.4327,
  -66.0108,
  'America/Puerto_Rico',
  of('SJU', 'PR', { climate_report_id: 'TSJU', office_at_iem: 'JSJ', office_letter: 'T' }),
);
const LONDON = [
  EGLL,
  place('EGLC', 'London City', 51.5053, 0.0553, 'Europe/London', abroad('GB', 'GB__ASOS')),
];

export const TWENTY: readonly StubPlace[] = [...LOWER_48, ...ALASKA, ...HAWAII, SAN_JUAN, ...LONDON, RJTT];

/** The same stations, of which the offices of some have no point. */
export const withoutPoint = (places: readonly StubPlace[], ...stations: readonly string[]): StubPlace[] =>
  places.map((one) => (stations.includes(one.station_id) ? { ...one, point_north_degrees: null } : one));
