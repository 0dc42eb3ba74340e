import { basename } from 'node:path';
import { expect } from 'chai';
import { audit } from '../../../src/ingest/audit.js';
import type { LoadReport } from '../../../src/ingest/load-report.js';
import type { Store } from '../../../src/store/store.js';
import { WINDOW } from '../contract/data.js';
import { startTestService } from '../service.js';

// Answers of a store, for comparison with another engine's.

/** Questions of every kind about a window. */
export const questionsIn = (window: string): string[] =>
  ['summary?', 'by-date?', 'by-lead-time?', 'by-city?', 'by-station/KORD?include_raw=true&'].map(
    (question) => `/api/v1/accuracy/${question}${window}`,
  );

export const CONTRACT_QUESTIONS = questionsIn(WINDOW);

/** Faults that verify finds, by table. */
export async function faults(store: Store): Promise<string[]> {
  return (await audit(store)).map(({ table, rows }) => `${table}: ${rows}`);
}

/** The part of a report that depends neither on the machine nor on the folder of the feeds. */
export function counts(report: LoadReport): object {
  const named = JSON.stringify(report, (key, value: unknown) =>
    key === 'file' && typeof value === 'string' ? basename(value) : value,
  );
  return { ...(JSON.parse(named) as object), seconds: 0, rows_per_second: 0, peak_memory_mb: 0 };
}

export async function answers(
  store: Store,
  questions: readonly string[],
  now = '2026-02-05T12:00:00Z',
): Promise<unknown[]> {
  const service = await startTestService(store, { now });
  const found: unknown[] = [];
  for (const question of questions) {
    const answer = await service.get(question);
    expect(answer.status, `${question}: ${answer.text}`).to.equal(200);
    found.push((answer.body as { data: unknown }).data);
  }
  return found;
}
