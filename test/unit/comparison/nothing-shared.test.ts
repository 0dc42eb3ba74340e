import { expect } from 'chai';
import { explainNothingShared } from '../../../src/comparison/nothing-shared.js';
import type { PairQuery } from '../../../src/queries/conditions.js';
import { textOfTools } from '../../../src/mcp/tool.js';

// The advice of a comparison without a case: no other test sees that it fits the request, and names who has stopped.

const LATE = ['24-48h', '48-72h', '72h+'];
const BOTH = [
  { provider: 'here', last_day: '2026-11-15' },
  { provider: 'other', last_day: '2026-10-25' },
];

const explain = (
  found = BOTH,
  {
    groups = [],
    names = ['here', 'other'],
    ...others
  }: { groups?: string[]; names?: string[]; leadTimes?: PairQuery['leadTimes'] } = {},
): string =>
  explainNothingShared(
    {
      metric: 'high',
      provider: { name: names.join(), names },
      window: { period_start: '2026-10-25', period_end: '2026-11-15' },
      leadTimes: { leads: 'some', buckets: LATE },
      ...others,
    },
    groups,
    found,
  );

describe('the reason why nothing is compared', () => {
  const ALL = { leadTimes: { leads: 'all', buckets: ['0-6h', ...LATE] } } satisfies Pick<
    PairQuery,
    'leadTimes'
  >;

  it('given providers that both have forecasts, then other lead times are advised, unless it has all', () => {
    const nothing = 'No station day of the window has forecasts of two providers in 24-48h, 48-72h, 72h+: ';
    expect(explain()).to.equal(
      `${nothing}group_by=lead_time_bucket shows which lead times have them, and lead=0 without lead_time_bucket takes all`,
    );
    expect(explain(BOTH, { groups: ['lead_time_bucket'] })).to.equal(
      `${nothing}lead=0 without lead_time_bucket takes all`,
    );
    expect(explain(BOTH, ALL)).to.match(/ in 0-6h, 24-48h, 48-72h, 72h\+$/);
  });

  it('given a provider that stopped before the window, then it is named with its last day', () => {
    const stopped = [BOTH[0]!, { provider: 'other', last_day: '2026-10-24' }];
    const named = 'other has no forecast of an observed day in the window, and its last is for 2026-10-24';
    for (const others of [{}, ALL])
      expect(explain(stopped, others)).to.equal(
        `No station day of the window has forecasts of two providers: ${named}`,
      );
    expect(explain([BOTH[0]!])).to.match(/other has no .* window, and none in the 366 days before$/);
    expect(explain(stopped, { issuedHours: [6] } as object)).to.contain(
      'no forecast issued in these hours of',
    );
    expect(explain([])).to.match(/: here has no .*; other has no /);
  });

  it('given a third provider that stopped, then it is named, and lead times are advised for the other two', () => {
    const text = explain(BOTH, { names: ['here', 'other', 'third'] });
    expect(text).to.match(/72h\+; third has no .*: group_by=lead_time_bucket shows/);
  });

  it('given one provider, then it is the only one', () => {
    expect(explain(BOTH, { names: ['here'] })).to.match(/: here is the only provider$/);
  });

  it('given to a tool, which has no lead, then lead=0 is not advised', () => {
    for (const groups of [[], ['lead_time_bucket']])
      expect(textOfTools(explain(BOTH, { groups }))).not.to.match(/lead=0|group_by|takes all/);
  });
});
