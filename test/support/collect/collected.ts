import type { Store } from '../../../src/store/store.js';

// A load as the collector leaves it, with the state of its sources in its report.

/** The state of a source that fares well; a test says what is different. */
export const SOURCE = {
  source: 'iem-nbm',
  feed: 'forecasts',
  provider: 'nbm' as string | null,
  stations: 3,
  last_success_at: '2026-03-07T13:26:00Z' as string | null,
  gaps: 0,
  permanent_gaps: 0,
  requests: { ok: 12, no_answer: 0, refused: 0, failed: 0 },
};

/** Records a finished load of the collector. */
export async function recordCollected(
  store: Store,
  load_id: number,
  sources: readonly object[],
): Promise<void> {
  const report = { load_id, outcome: 'complete', collected: { at: '2026-03-07T13:30:00Z', sources } };
  await store.insert(
    'loads',
    ['load_id', 'event', 'report'],
    [[load_id, 'finished', JSON.stringify(report)]],
  );
}
