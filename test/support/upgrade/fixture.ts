import { judgeShare } from '../../../src/statistics/uncertainty/judge.js';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { Store } from '../../../src/store/store.js';
import type { FeedLines } from '../ingest/feeds.js';
import { startTestService } from '../service.js';
import { temporaryFolder } from '../store.js';

// Data of past versions: a data folder, a backup of it, and what that version answered. make.ts has made them.

export const FIXTURES = fileURLToPath(new URL('../../fixtures/', import.meta.url));

/** The files of a fixture, in a folder with the name of its version. */
export const FOLDER_FILE = 'data.tar.gz';
export const BACKUP_FILE = 'backup.tar.gz';
export const RESPONSES_FILE = 'responses.json.gz';

/** The instant that the service takes for the present in all questions. */
const NOW = '2026-10-05T12:00:00Z';

export interface PastResponses {
  /** Answers by path. */
  answers: Record<string, unknown>;
  /** One more load. */
  next: FeedLines;
  /** Answers after that. */
  answersAfterNext: Record<string, unknown>;
}

export const VERSIONS = readdirSync(FIXTURES);

/** The answers of a version. The data of 014, the last build before 1.0, are of the same loads as those of 1.0, made at another time. */
export function readPastResponses(version: string): PastResponses {
  const isBefore = version === '014';
  const packed = readFileSync(join(FIXTURES, isBefore ? '1.0.0' : version, RESPONSES_FILE));
  return JSON.parse(gunzipSync(packed).toString(), (name, value: unknown) =>
    isBefore && name === 'recorded_at' ? undefined : value,
  ) as PastResponses;
}

/** A copy of what one of these files has packed, which goes away with the test run. */
export async function unpacked(version: string, file: string): Promise<string> {
  const folder = temporaryFolder();
  const packed = join(FIXTURES, version, file);
  await promisify(execFile)('tar', ['-xzf', packed, '--no-same-owner', '-C', folder]);
  return folder;
}

/** Fields that the moment, the machine or the timeline decides, and not the data. A restored backup has a timeline of its own. */
const OF_MOMENT = new Set(
  `generated_at local_generated_at query_time_ms timeline next_cursor request_id started_at finished_at ended_at seconds rows_per_second
  peak_memory_mb last_load_at`.split(/\s+/),
);

/** Answers to the questions, by path. @throws Error where one is an error */
export async function answersTo(
  store: Store,
  questions: readonly string[],
): Promise<Record<string, unknown>> {
  const service = await startTestService(store, { now: NOW, cacheBytes: 0 });
  const answers: Record<string, unknown> = {};
  for (const question of questions) {
    const { status, text } = await service.get(question);
    if (status !== 200) throw new Error(`${question}: ${status} ${text}`);
    answers[question] = question.includes('format=csv')
      ? text
      : (JSON.parse(text, (name, value: unknown) => (OF_MOMENT.has(name) ? undefined : value)) as unknown);
  }
  return answers;
}

/**
 * An answer without fields that a past version did not have: answers may gain them (docs/api-stability.md), and lists of feeds
 * a feed. Other lists are as long as they are.
 */
export function withFieldsOf(past: unknown, present: unknown): unknown {
  if (Array.isArray(past) && Array.isArray(present))
    return present
      .filter((each) => !isLaterFeed(each) || past.some(isLaterFeed))
      .map((each: unknown, at) => withFieldsOf(past[at], each));
  if (!isRecord(past) || !isRecord(present)) return present;
  return Object.fromEntries(
    Object.keys(past)
      .filter((name) => name in present)
      .map((name) => [name, withFieldsOf(past[name], present[name])]),
  );
}

/** A past response with the verdicts of today: a share whose interval is too wide no longer counts as right. */
export function withPresentVerdicts(past: unknown): unknown {
  if (Array.isArray(past)) return past.map(withPresentVerdicts);
  if (!isRecord(past)) return past;
  const { level, low, high, verdict } = past as {
    level: number;
    low: number;
    high: number;
    verdict?: string;
  };
  if (verdict === 'holds' && judgeShare({ low, high }, level / 100) === 'unknown')
    return { ...past, verdict: null };
  return Object.fromEntries(Object.entries(past).map(([name, each]) => [name, withPresentVerdicts(each)]));
}

const isLaterFeed = (value: unknown): boolean => isRecord(value) && value.feed === 'hourly_forecasts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
