import { expect } from 'chai';
import type { SourcePlan } from '../../../src/collect/pass/plan.js';
import {
  type GapReport,
  type RunReport,
  formatRun,
  SourceTally,
} from '../../../src/collect/pass/run-report.js';
import { emptyState } from '../../../src/collect/state.js';
import { SOURCES } from '../../support/collect/collector.js';

const gap = (from: string, reason: string, tries = 1): GapReport => ({ from, to: from, reason, tries });
const station = (station_id: string, gaps: GapReport[], permanent_gaps: GapReport[] = []) => ({
  station_id,
  expected: 9,
  received: 3,
  notes: [],
  gaps,
  permanent_gaps,
});

const requests = { ok: 4, no_answer: 0, refused: 0, failed: 0, not_requested: 0 };
type Source = RunReport['sources'][number];
const source = (feed: Source['feed'], provider: string | null, ...stations: Source['stations']): Source => ({
  ...{ source: `iem-${provider ?? 'cli'}`, feed, provider, requests, unusable: [], stations },
});
const textOf = (...sources: Source[]): string => {
  const pass = { requested_at: '2026-01-10T12:00:00.000Z', seconds: 3, outcome: 'gaps' as const };
  return formatRun({ ...pass, stations_not_found: [], loads: [], sources }, 'x');
};

describe('the text of a pass', () => {
  it('given sources of each feed, then it counts runs, days and hours', () => {
    const knyc = station('KNYC', []);
    const text = textOf(
      source('forecasts', 'nbm', knyc),
      source('observations', null, knyc),
      source('hours', null, knyc),
    );
    expect(text.match(/3 of 9 .*/g)).to.deep.equal([
      '3 of 9 expected runs received',
      '3 of 9 expected days received',
      '3 of 9 expected hours received',
    ]);
  });

  it('given gaps of one reason but for station and time, then they are one line with their number', () => {
    const knyc = station('KNYC', [
      gap('2026-01-01', 'no climate report of KNYC'),
      gap('2026-01-03', 'no climate report of KNYC', 4),
      gap('2026-01-05', 'no run: 2026-01-05T00:00Z'),
    ]);
    const kord = station(
      'KORD',
      [gap('2026-01-02', 'no climate report of KORD')],
      [gap('2025-01-02', 'no run: 2025-01-02T12:00Z'), gap('2025-01-03', 'no run: 2025-01-03T06:00Z')],
    );
    expect(textOf(source('observations', null, knyc, kord)).split('\n')).to.deep.equal([
      'iem-cli, observations: requests 4 ok',
      '  KNYC: 3 of 9 expected days received',
      '  KORD: 3 of 9 expected days received',
      '  gap: 3 × at 2 stations, first KNYC 2026-01-01..2026-01-01: no climate report of KNYC (tried 4 ×)',
      '  gap: KNYC 2026-01-05..2026-01-05: no run: 2026-01-05T00:00Z (tried 1 ×)',
      '  permanent gap: 2 ×, first KORD 2025-01-02..2025-01-02: no run: 2025-01-02T12:00Z (tried 1 ×)',
      'nothing to load',
      'gaps: 4 to be requested again, 2 permanent',
      'pass of 2026-01-10T12:00:00.000Z: gaps in 3 s',
    ]);
  });

  it('given a reason of its own for each row of a response, then they are 51 lines with the number of all', () => {
    const plan: SourcePlan = { source: SOURCES[0]!, places: [], requests: [], unrequested: [] };
    const tally = new SourceTally(plan);
    const unusable = Array.from({ length: 9000 }, (_, at) => ({ unit: `${at}`, reason: `${at} is no time` }));
    tally.add({
      ...plan,
      request: undefined as never,
      counts: {},
      reading: { rows: [], gaps: [], unusable },
    });
    const report = tally.report(emptyState('x'), 0);
    expect(report.unusable).to.have.length(51);
    expect(report.unusable.at(-1)).to.deep.equal({ reason: 'of other reasons', parts: 8950, first: '50' });
  });
});
