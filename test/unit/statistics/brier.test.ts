import { expect } from 'chai';
import { scoreProbabilities } from '../../../src/statistics/brier.js';

type Scores = Record<
  'brier_score' | 'reliability' | 'resolution' | 'uncertainty' | 'brier_skill_score',
  string
>;

/** Forecasts by chance: how many there were, and how many of them came true. */
interface Table {
  of: string;
  forecasts: readonly (readonly [percent: number, forecasts: number, came: number])[];
  printed: Scores;
}

// Chances of rain in Tampere, 2003, by the Finnish Meteorological Institute: as counts of data/pop.r of the R package `verification` (rain
// above 0.2 mm, or above 4.4 mm). The scores are printed in POP3 of https://cawcr.gov.au/projects/verification/POP3/POP3.html, and for the
// first with more digits in the vignette of that package.
const TAMPERE: Table[] = [
  {
    of: '24 h, rain',
    forecasts: [
      ...([
        [0, 46, 1],
        [10, 55, 1],
        [20, 59, 5],
        [30, 41, 5],
        [40, 19, 4],
        [50, 22, 8],
      ] as const),
      ...([
        [60, 22, 6],
        [70, 34, 16],
        [80, 24, 16],
        [90, 11, 8],
        [100, 13, 11],
      ] as const),
    ],
    printed: {
      ...{ brier_score: '0.1445', reliability: '0.02536', resolution: '0.06017', uncertainty: '0.1793' },
      brier_skill_score: '0.1942',
    },
  },
  {
    of: '24 h, heavy rain',
    forecasts: [
      [0, 243, 4],
      [10, 58, 1],
      [20, 19, 3],
      [30, 13, 3],
      [40, 5, 2],
      [50, 1, 1],
      [60, 6, 5],
      [80, 1, 1],
    ],
    printed: {
      ...{ brier_score: '0.037', reliability: '0.003', resolution: '0.020', uncertainty: '0.054' },
      brier_skill_score: '0.312',
    },
  },
  {
    of: '48 h, rain',
    forecasts: [
      ...([
        [0, 31, 1],
        [10, 53, 5],
        [20, 67, 7],
        [30, 39, 7],
        [40, 38, 12],
        [50, 16, 5],
      ] as const),
      ...([
        [60, 26, 8],
        [70, 30, 14],
        [80, 31, 15],
        [90, 8, 6],
        [100, 7, 6],
      ] as const),
    ],
    printed: {
      ...{ brier_score: '0.178', reliability: '0.027', resolution: '0.036', uncertainty: '0.187' },
      brier_skill_score: '0.047',
    },
  },
  {
    of: '48 h, heavy rain',
    forecasts: [
      [0, 244, 6],
      [10, 60, 2],
      [20, 21, 3],
      [30, 8, 2],
      [40, 10, 4],
      [50, 1, 0],
      [60, 2, 2],
    ],
    printed: {
      ...{ brier_score: '0.044', reliability: '0.003', resolution: '0.011', uncertainty: '0.052' },
      brier_skill_score: '0.146',
    },
  },
];

// Own loops check the formula against itself; these check it against numbers of others.
describe('scoreProbabilities()', () => {
  for (const { of, forecasts, printed } of TAMPERE)
    it(`given ${of}, Tampere 2003, then the Brier score and its parts are those that were published`, () => {
      const column = (at: 0 | 1 | 2): number[] => forecasts.map((row) => row[at]);
      const percents = column(0).map((percent) => percent * 100);
      const { base_rate, ...found } = scoreProbabilities([percents, column(1), column(2)])!;
      const all = { ...found, uncertainty: base_rate! * (1 - base_rate!) };
      for (const name of Object.keys(printed) as (keyof Scores)[])
        expect(all[name]?.toFixed(printed[name].length - 2), name).to.equal(printed[name]);
    });
});
