import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { loadLines } from '../support/ingest/feeds.js';
import { range } from '../support/runner/range.js';
import { startTestService } from '../support/service.js';
import { openTestStore } from '../support/store.js';

const CHICAGO = 'KORD,Chicago,US,41.96,-87.93,America/Chicago,Dfa,true,Windy City,ORD';

// So many that a correction is more than one block of the engine (65,409 rows).
const DAYS = 25;
const FORECASTS_A_DAY = 1600;
const PAIRS = DAYS * FORECASTS_A_DAY;

/** Forecasts of the high, all of which miss by the same. */
function forecasts(missedBy: number): string[] {
  return Array.from({ length: PAIRS }, (_, index) => {
    const date = new Date(Date.UTC(2026, 0, 1 + Math.floor(index / FORECASTS_A_DAY))).toISOString();
    const issued = new Date(Date.parse(date) - (index % FORECASTS_A_DAY) * 60_000).toISOString();
    return `KORD,${issued},${date.slice(0, 10)},${30 + missedBy},`;
  });
}

const observations = Array.from({ length: DAYS }, (_, day) => {
  const date = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
  return `KORD,${date},30,,verified,2026-02-01T00:00:00Z`;
});

describe('readers during a load', () => {
  it('given corrections of every pair, then each answer during them is of before or of after', async function () {
    const corrections = range({ test: 0, ci: 2, stress: 3 }, [3, 5, 7]);
    const store = await openTestStore();
    await loadLines(store, { stations: [CHICAGO], forecasts: forecasts(1), observations });
    const { get } = await startTestService(store, { cacheBytes: 0 });
    const window = 'date_from=2026-01-01&date_to=2026-01-31';
    // One reads the histogram of the network, one that of the station, one the ledger, one weeks and days.
    const questions = ['summary?', 'summary?station_id=KORD&', 'by-date?', 'by-city?'].map(
      (question) => `/api/v1/accuracy/${question}${window}`,
    );
    let isLoading = true;
    const errors = new Set<number>();
    let answers = 0;
    const reader = async (question: string): Promise<void> => {
      while (isLoading) {
        const answer = await get(question);
        expect(answer.status).to.equal(200);
        const { data } = answer.body as { data: Stats | Stats[] };
        const records = Array.isArray(data) ? data : [data];
        // Over days or stations, the response is of one version as a whole, too.
        const ofAnswer = new Set(records.map((record) => (record.stats ?? record).mean_error));
        expect(ofAnswer.size, `${question}: ${[...ofAnswer].join(', ')}`).to.equal(1);
        const counted = records.map((record) => record.sample_size ?? record.verification_pairs);
        expect(
          counted.reduce((sum = 0, count = 0) => sum + count, 0),
          question,
        ).to.equal(PAIRS);
        for (const error of ofAnswer) errors.add(error ?? NaN);
        answers += 1;
        await setTimeout(10); // without a pause they take more of the processors than the loads
      }
    };
    const readers = Promise.all(questions.map(reader));
    for (const missedBy of corrections) {
      const report = await loadLines(store, { forecasts: forecasts(missedBy) });
      expect(report).to.include({ pairs_added: PAIRS, pairs_withdrawn: PAIRS });
    }
    isLoading = false;
    await readers;
    await store.close();
    expect(
      [...errors].every((error) => [1, 3, 5, 7].includes(error)),
      [...errors].join(', '),
    ).to.be.true;
    expect(errors.size, 'versions that were seen').to.be.at.least(corrections.length);
    expect(answers, 'answers during the loads').to.be.at.least(20);
  });
});

interface Stats {
  mean_error?: number;
  verification_pairs?: number;
  sample_size?: number;
  stats?: Stats;
}
