import { expect } from 'chai';
import type { TestService } from '../support/service.js';

// Scores that an independent program computed from the same files (highs, leads of 12 to 24 hours, days 46 to 183): CRPS
// in °F, Brier score over six brackets, log score, reliability term. It learned from all forecasts but those off by 25 °F.

type Row = readonly [crps: number, brier: number, log: number, reliability: number];

const WINDOW = 'date_from=2021-03-16&date_to=2021-07-31';

/** By training window and method. The mixture's had 40 station days of the network, where the service has 60. */
const EXPECTED: readonly (readonly [window: number, method: string, row: Row])[] = [
  [60, 'mixture', [1.615, 0.1309, 1.644, 0.00003]],
  [60, 'normal_2f', [1.666, 0.1341, 1.751, 0.00258]],
  [90, 'network', [1.635, 0.1317, 1.661, 0.00026]],
  [90, 'station', [1.638, 0.1323, 1.678, 0.00022]],
];

interface Scores {
  brier: number | { value: number };
  crps_f: number | { value: number };
  log_score: number | { value: number };
  reliability: number;
}

const valueOf = (field: number | { value: number }): number =>
  typeof field === 'number' ? field : field.value;

/** The tests of the probabilities of six months of forecasts. */
export function itHasTheScoresOfTheIndependentProgram(service: () => TestService): void {
  for (const [window, method, [crps, brier, log, reliability]] of EXPECTED) {
    it(`then the scores of ${method} over days that it did not learn from are those of the independent program (D36)`, async () => {
      const path = `/api/v1/probability/reliability?${WINDOW}&window=${window}`;
      const response = await service().get(path).expect(200);
      const { data } = response.body as { data: Scores & Record<string, Scores> };
      const found = (method === 'mixture' ? data : data[method]) as Scores;
      console.log(
        `      ${method}: ${JSON.stringify([found.crps_f, found.brier, found.log_score, found.reliability])}`,
      );
      for (const [value, expected] of [
        [valueOf(found.crps_f), crps],
        [valueOf(found.brier), brier],
        [valueOf(found.log_score), log],
      ] as const) {
        expect(value / expected).to.be.within(0.98, 1.02);
      }
      // Given to 0.00001: 2 % of it is below what its last digit says.
      expect(found.reliability).to.be.closeTo(reliability, Math.max(0.02 * reliability, 0.00004));
    });
  }

  it('then a correction for bias gains what the independent program found, up to 1 %, and claims no more', async () => {
    for (const [parameters, raw, corrected] of [
      ['metric=high&lead_time_bucket=0-6h', 2.088, 2.07],
      ['metric=high&lead_time_bucket=12-24h', 2.233, 2.222],
      ['metric=high&lead_time_bucket=24-48h', 2.401, 2.406],
      ['metric=low&lead_time_bucket=0-6h', 2.25, 2.224],
    ] as const) {
      const response = await service()
        .get(`/api/v1/accuracy/bias-correction?${WINDOW}&${parameters}`)
        .expect(200);
      const { data } = response.body as {
        data: { out_of_sample: { mae_raw: number; mae_corrected: number; verdict: string; gain: object } };
      };
      const { mae_raw, mae_corrected, gain, verdict } = data.out_of_sample;
      console.log(`      ${parameters}: ${JSON.stringify([mae_raw, mae_corrected, gain, verdict])}`);
      expect(mae_raw / raw, parameters).to.be.within(0.98, 1.02);
      expect(mae_corrected / corrected, parameters).to.be.within(0.98, 1.02);
      // Where the program lost by it, the service does not say that it pays.
      if (corrected > raw) expect(verdict).not.to.equal('improves');
    }
  });
}
