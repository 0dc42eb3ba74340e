import type { FeedLines } from '../ingest/feeds.js';

// The data of the contract suite, small enough to work every number out by hand. In the comments: lead = hours from
// issuance to local midnight of the target date; error = forecast - actual.

/** The instant that the service takes for the present; its UTC date is 2024-03-20. */
export const NOW = '2024-03-20T15:30:00.123Z';

/** The days that hold all pairs but one. */
export const WINDOW = 'date_from=2024-03-16&date_to=2024-03-19';

export const FEEDS: FeedLines = {
  stations: [
    'EGLL,"London, ""Heathrow""",GB,51.4775,-0.461389,Europe/London,Cfb,true,LHR Airport|Heathrow,LHR',
    // Not active any more. One alias is the city of KORD, one the ICAO id of KPDX and one the IATA code of KPWM.
    'KMDW,chicago midway,US,41.7842,-87.7553,America/Chicago,Dfa,false,Chicago|KPDX|PWM,',
    `KORD,Chicago,US,41.9602,-87.9316,America/Chicago,Dfa,true,Windy City|O'Hare,ORD`,
    // Two cities of one name, and an alias that KSEA has too.
    'KPDX,Portland,US,45.5958,-122.6093,America/Los_Angeles,Csb,true,Portland OR|Northwest,PDX',
    'KPWM,Portland,US,43.6497,-70.3002,America/New_York,Dfb,true,Portland ME,PWM',
    // No forecast, no observation.
    'KSEA,@Seattle,US,47.4447,-122.3144,America/Los_Angeles,Csb,true,northwest,SEA',
    'VIDP,=Delhi,IN,28.5665,77.1031,Asia/Kolkata,,true,-Dilli|São Delhi,DEL',
  ],
  forecasts: [
    // Chicago is at UTC-5 in these days, so its 18 March begins at 05:00Z.
    'KORD,2024-03-18T06:00:00Z,2024-03-18,70.00,', // lead -1: in no statistic
    'KORD,2024-03-18T05:00:00Z,2024-03-18,51.00,', // lead 0, +1
    'KORD,2024-03-18T00:00:00Z,2024-03-18,49.00,28.25', // lead 5, -1; low -1.75
    'KORD,2024-03-17T23:00:00Z,2024-03-18,52.00,31.50', // lead 6, +2; low +1.5
    'KORD,2024-03-17T17:00:00Z,2024-03-18,48.50,', // lead 12, -1.5
    'KORD,2024-03-17T05:00:00Z,2024-03-18,53.00,', // lead 24, +3
    'KORD,2024-03-16T05:00:00Z,2024-03-18,46.00,', // lead 48, -4
    'KORD,2024-03-15T05:00:00Z,2024-03-18,55.00,', // lead 72, +5
    'KORD,2024-03-17T00:00:00Z,2024-03-17,42.00,', // lead 5, +2
    'KORD,2024-03-19T00:00:00Z,2024-03-19,57.00,', // lead 5, -3
    'KORD,2024-03-18T00:00:00Z,2024-03-19,62.00,', // lead 29, +2
    'KORD,2023-12-21T00:00:00Z,2023-12-21,30.00,', // lead 6 (UTC-6 in winter), +10; one day before the 90
    // New York is at UTC-4.
    'KPWM,2024-03-18T00:00:00Z,2024-03-18,45.00,', // lead 4, 0
    'KPWM,2024-03-17T00:00:00Z,2024-03-18,43.50,', // lead 28, -1.5
    // Los Angeles is at UTC-7.
    'KPDX,2024-03-18T00:00:00Z,2024-03-18,57.00,', // lead 7, +2
    // London is at UTC.
    'EGLL,2024-03-18T00:00:00Z,2024-03-18,51.50,', // lead 0, -0.5
    'EGLL,2024-03-17T00:00:00Z,2024-03-18,54.00,', // lead 24, +2
    // Delhi is at UTC+5:30: its 18 March begins at 18:30Z of the 17th.
    'VIDP,2024-03-17T12:00:00Z,2024-03-18,90.75,', // lead 6.5, +0.75
    'VIDP,2024-03-18T00:00:00Z,2024-03-18,99.00,', // lead -5.5: in no statistic
    'KMDW,2024-03-16T00:00:00Z,2024-03-16,36.00,', // lead 5, -2
    'KMDW,2024-03-17T00:00:00Z,2024-03-17,36.00,', // never observed
  ],
  observations: [
    'KORD,2024-03-17,40.00,,verified,2024-03-18T12:00:00Z',
    'KORD,2024-03-18,50.00,30.00,verified,2024-03-19T12:00:00Z',
    'KORD,2024-03-18,45.00,,preliminary,2024-03-19T18:00:00Z', // later, yet a verified one beats it
    'KORD,2024-03-19,58.00,,preliminary,2024-03-19T20:00:00Z',
    'KORD,2024-03-19,60.00,,preliminary,2024-03-20T02:00:00Z', // the later one of two
    'KORD,2023-12-21,20.00,,verified,2023-12-22T12:00:00Z',
    'KPWM,2024-03-18,45.00,,verified,2024-03-19T12:00:00Z',
    'KPDX,2024-03-18,55.00,,preliminary,2024-03-19T12:00:00Z',
    'EGLL,2024-03-18,52.00,,verified,2024-03-19T12:00:00Z',
    'VIDP,2024-03-18,90.00,,verified,2024-03-19T12:00:00Z',
    'KMDW,2024-03-16,38.00,,verified,2024-03-17T12:00:00Z',
  ],
  hours: [
    'station_id,at,temp_f,max_6h_f,min_6h_f,precip_in,sky',
    // Chicago's 18 March: a degree more each hour up to 49 at 15:51 local time, then one less. Overcast, with rain at noon.
    ...Array.from({ length: 24 }, (_, hour) => {
      const at = new Date(Date.UTC(2024, 2, 18, 5 + hour, 51)).toISOString().replace(':00.000', '');
      const extremes = hour % 6 === 0 ? `${34 + Math.min(hour, 30 - hour)}.5,${hour + 28}` : ',';
      return `KORD,${at},${34 + Math.min(hour, 30 - hour)},${extremes},${hour === 12 ? '0.25' : ''},OVC`;
    }),
    'KPDX,2024-03-18T11:53:00Z,45.5,,,,',
    // London's: too few.
    'EGLL,2024-03-18T11:20:00Z,50.00,,,,SCT',
    'EGLL,2024-03-18T12:20:00Z,51.8,,,,',
  ],
};

/** The fields of the stats object, in the order of section 2.1 of the interface. */
export const STATS_FIELDS = [
  ...['verification_pairs', 'unique_days', 'mean_error', 'std_dev', 'mae', 'rmse'],
  ...['abs_error_p50', 'abs_error_p90', 'abs_error_p95'],
];

const statsOf = (...values: number[]): Record<string, number> =>
  Object.fromEntries(STATS_FIELDS.map((field, index) => [field, values[index]!]));

// Errors of KORD in WINDOW: +2 | +1 -1 +2 -1.5 +3 -4 +5 | -3 +2. Sum 5.5, absolute sum 24.5, squares 75.25.
// Mean 0.55; variance 7.525 - 0.3025 = 7.2225; sizes 1 1 1.5 2 2 2 3 3 4 5: p90 at 8.1 = 4.1, p95 at 8.55 = 4.55.
export const KORD_STATS = statsOf(10, 3, 0.55, 2.69, 2.45, 2.74, 2, 4.1, 4.55);

// All stations in WINDOW: those, -2 (16th), +2 (17th), -3 +2 (19th). Sum 6.25, absolute sum 33.25, squares 90.3125 / 17 =
// 5.3125; variance 5.3125 - 0.1352 = 5.1773; sizes 0 .5 .75 1 1 1.5 1.5 2 2 2 2 2 2 3 3 4 5: p50 at 8 = 2, p90 at 14.4 =
// 3.4, p95 at 15.2 = 4.2.

// How other numbers of answers.txt were worked out.
//
// KORD by lead: 0-6h +1 -1 +2 -3, 6-12h +2, 12-24h -1.5, 24-48h +3 +2, 48-72h -4, 72h+ +5; same-day +20, and +9 of VIDP.
// KORD on 18 March: sum 4.5, absolute sum 17.5, squares 58.25; variance 8.3214 - 0.4133 = 7.9082;
// sizes 1 1 1.5 2 3 4 5: p90 at 5.4 = 4.4, p95 at 5.7 = 4.7.
// KORD on 19 March, -3 and +2: mean -0.5, sizes 2 3, squares 13 / 2 = 6.5, deviation 2.5.
// The lows of KORD, -1.75 and +1.5: mean -0.125 (a tie: -0.13), squares 5.3125 / 2 = 2.65625, deviation and mae 1.625 (a tie: 1.63),
// p90 1.725 (a tie: 1.73), p95 1.7375.
// KPWM, 0 and -1.5: squares 2.25 / 2 = 1.125, p90 1.35, p95 1.425 (a tie: 1.43).
// EGLL, -0.5 and +2: squares 4.25 / 2 = 2.125, p90 1.85, p95 1.925 (a tie: 1.93).
// All stations on 18 March: KORD's seven, 0 -1.5 (KPWM), +2 (KPDX), -0.5 +2 (EGLL), +0.75 (VIDP). Sum 7.25, absolute sum
// 24.25, squares 69.3125; variance 5.3317 - 0.3110 = 5.0207; sizes 0 .5 .75 1 1 1.5 1.5 2 2 2 3 4 5: p50 at 6 = 1.5, p90
// at 10.8 = 3.8, p95 at 11.4 = 4.4.
// The week from the 18th: those, -3 and +2. Sum 6.25, absolute sum 29.25, squares 82.3125; variance 5.4875 - 0.1736 =
// 5.3139; sizes 0 .5 .75 1 1 1.5 1.5 2 2 2 2 3 3 4 5: p50 at 7 = 2, p90 at 12.6 = 3.6, p95 at 13.3 = 4.3.
// 0-6h of all: KORD +1 -1 (18th) +2 (17th) -3 (19th), KPWM 0, EGLL -0.5, KMDW -2: sum -3.5, absolute sum 9.5, squares
// 19.25; variance 2.75 - 0.25; sizes 0 .5 1 1 2 2 3: p90 at 5.4, p95 at 5.7.
// 6-12h: KORD +2, KPDX +2, VIDP +0.75: squares 8.5625 / 3 = 2.8542; variance 2.8542 - 2.5069.
// 24-48h: KORD +3 +2, KPWM -1.5, EGLL +2: mean 1.375 and mae 2.125 (ties); squares 19.25 / 4 = 4.8125; variance 4.8125 -
// 1.8906; sizes 1.5 2 2 3: p90 at 2.7, p95 at 2.85.
// Errors of all by size: 0 .5 .75 1 1 1.5 1.5 2 2 2 2 2 2 3 3 4 5; what is exactly a threshold is within it.
// The stations of the US: KORD's ten, -2 (KMDW), +2 (KPDX), 0 -1.5 (KPWM). Sum 4, absolute sum 30, squares 85.5 / 14 =
// 6.1071; variance 6.1071 - 0.0816; sizes 0 1 1 1.5 1.5 2 2 2 2 2 3 3 4 5: p50 at 6.5 = 2, p90 at 11.7 = 3.7, p95 at 12.35 = 4.35.
// The bias of KORD in 0-6h, +2 +1 -3 of 17 to 19 March; of the network, reported by 04:00Z of the 20th, those, 0 (KPWM), -0.5
// (EGLL), -2 (KMDW): (0 + 40 * -2.5 / 6) / 43 = -0.39. Out of sample only the 19th (57 for 60) had anything before it: -2 of
// KMDW by 04:00Z of the 18th, and +2 of KORD by its issuance: (2 + 40 * -2) / 41 = -1.902, which an error of -3 loses.
