// Months to date of the National Weather Service (form F-6), as printed: of each day MAX, MIN, HDD and CDD, and the sums. The texts are
// CF6DSM, CF6SEA, CF6MKK and CF6ANC of data/product_examples/CF6 in github.com/akrherz/pyIEM.

type Day = readonly [high: number, low: number, hdd: number, cdd: number];

export interface ClimateReport {
  days: readonly Day[];
  hdd: number;
  cdd: number;
}

const report = (text: string, hdd: number, cdd: number): ClimateReport => ({
  days: text.split('|').map((day) => day.trim().split(' ').map(Number) as unknown as Day),
  hdd,
  cdd,
});

/** Des Moines and Seattle, February 2020; Molokai, April 2020; Anchorage, June 2023. */
export const CLIMATE_REPORTS: readonly [ClimateReport, ...ClimateReport[]] = [
  report(
    `42 32 28 0|55 33 21 0|36 29 32 0|29 20 40 0|28 18 42 0|33 12 42 0|26 20 42 0|29 13 44 0|
    42 19 34 0|37 14 39 0|35 21 37 0|36 2 46 0|4 -10 68 0|20 -5 57 0|42 17 35 0|46 23 30 0|
    43 28 29 0|36 21 36 0|21 12 48 0|23 3 52 0|44 15 35 0|53 27 25 0`,
    862,
    0,
  ),
  report(
    `55 37 19 0|44 32 27 0|43 35 26 0|41 32 28 0|50 41 19 0|51 46 16 0|52 43 17 0|48 40 21 0|
    48 36 23 0|48 37 22 0|48 35 23 0|48 41 20 0|48 37 22 0|50 42 19 0|46 42 21 0|48 38 22 0|
    48 34 24 0|48 31 25 0|55 32 21 0|58 42 15 0|54 35 20 0|47 39 22 0`,
    472,
    0,
  ),
  report(
    `81 62 0 7|83 60 0 7|82 61 0 7|87 61 0 9|82 67 0 10|81 65 0 8|83 68 0 11|80 65 0 8|
    81 68 0 10|81 64 0 8|81 69 0 10|78 70 0 9|81 68 0 10|77 68 0 8|84 69 0 12|82 70 0 11|
    82 68 0 10|82 63 0 8|82 60 0 6|82 62 0 7`,
    0,
    176,
  ),
  report(
    `55 43 16 0|49 44 18 0|56 46 14 0|60 45 12 0|69 44 8 0|57 50 11 0|56 48 13 0|59 49 11 0|
    61 50 9 0|60 47 11 0|56 47 13 0|54 43 16 0|54 43 16 0|58 47 12 0|54 44 16 0|55 46 14 0|
    61 42 13 0|72 46 6 0|64 50 8 0|60 53 8 0|62 54 7 0|66 55 4 0|68 53 4 0|69 56 2 0|
    63 53 7 0`,
    269,
    0,
  ),
];
