import { expect } from 'chai';
import { compareForecasts } from '../../../src/mcp/tools/compare-providers.js';
import { biasVerdict } from '../../../src/mcp/tool-rows.js';
import { readArguments } from '../../../src/mcp/tool.js';

// Guards that an assistant is never told not_significant where there is no interval: that would be a finding.

const OPEN = { low: null, high: null };
const AROUND = { low: -0.5, high: 0.5 };

describe('the verdict of a row without an interval', () => {
  it('given a bias of too few days, then it is unknown; around 0, then it may be chance', () => {
    const said = (mean_error: typeof OPEN | typeof AROUND) =>
      biasVerdict({ uncertainty: { mean_error } }, { data: [] });
    expect(said(OPEN)).to.deep.equal({ verdict: 'unknown' });
    expect(said(AROUND)).to.deep.equal({ verdict: 'not_significant' });
    expect(biasVerdict({}, { data: [] })).to.deep.equal({});
  });

  for (const [what, record, said] of [
    ['a provider', { mae_difference: OPEN, verdict: 'not_significant' }, 'unknown'],
    ['a provider', { mae_difference: AROUND, verdict: 'not_significant' }, 'not_significant'],
    ['chances', { mae_difference: AROUND, brier_difference: OPEN, verdict: 'not_significant' }, 'unknown'],
    ['one source', { mae_difference: OPEN, identical: true, verdict: 'not_significant' }, 'not_significant'],
    ['a reference', { skill_mae: OPEN }, 'unknown'],
    ['a reference', { skill_mae: AROUND }, 'not_significant'],
  ] as const)
    it(`given ${what} with ${JSON.stringify(record)}, then it is ${said}`, async () => {
      const { rows } = await compareForecasts.handle(
        readArguments(compareForecasts, { of: 'providers' }).values,
        [{ data: [{ cases: 60, hint: null, ...record }], metadata: {} }],
        () => Promise.reject(new Error('asks for more')),
        undefined,
      );
      expect(rows[0]).to.include({ verdict: said });
    });
});
