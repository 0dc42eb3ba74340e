import { expect } from 'chai';
import type { Store } from '../../src/store/store.js';
import { sent } from '../support/contract/contract.js';
import { document, missingOf, shownAnswers } from '../support/documents.js';
import { loadLines } from '../support/ingest/feeds.js';
import { sampleSince } from '../support/ingest/sample.js';
import { download, downloadPairs, runScript } from '../support/recompute/compare.js';
import { itInCi } from '../support/runner/range.js';
import { startTestService, type TestService } from '../support/service.js';
import { openTestStore } from '../support/store.js';

/** When the documents' answers were given; the sample's last day. */
const TODAY = '2026-10-05';
/** 90 days and the training days of the first of them. */
const SAMPLE_SINCE = '2026-06-25';

interface Answer {
  data: unknown;
  metadata: { cells?: number; significant_cells?: number };
}

describe('the answers that docs/ shows of the sample data', function () {
  let store: Store;
  let service: TestService;

  before(async () => {
    store = await openTestStore();
    await loadLines(store, sampleSince(SAMPLE_SINCE, TODAY));
    service = await startTestService(store, { now: `${TODAY}T12:00:00Z` });
  });
  after(() => store.close());

  const documents = ['comparison.md', 'probability.md'];
  const answerTo = async (request: string): Promise<Answer> => {
    const { status, body, text } = await sent(service.get(request));
    expect(status, `${request}: ${text}`).to.equal(200);
    return body as Answer;
  };

  for (const name of documents) {
    itInCi(`given the answers that ${name} shows, then they are what the service says`, async () => {
      const missing: string[] = [];
      let lines = 0;
      for (const { request, lines: shown } of shownAnswers(name)) {
        if (request.includes('2021-')) continue; // of real data: test/real-data/nws-2021.test.ts
        const answer = await answerTo(request);
        for (const line of shown) {
          lines += 1;
          expect(line.fields, line.text).not.to.deep.equal([]);
          missing.push(...missingOf(line, answer));
        }
      }
      expect(missing).to.deep.equal([]);
      expect(lines).to.be.above(name === 'comparison.md' ? 4 : 1);
    });
  }

  itInCi(
    "given the script that recompute.md shows, then it is the request's, and DuckDB answers as shown",
    async () => {
      const [, path = ''] = /"\$BASE_URL(\/\S+)"/.exec(document('recompute.md')) ?? [];
      const script = (await download(service, path)).toString();
      const shown = (language: string): string =>
        new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(document('recompute.md'))?.[1] ?? '';
      const steady = script.replaceAll(/v1\.\w{4}/g, 'v1.k7q2');
      expect(steady).to.equal(shown('sql'));
      const results = await runScript(script, await downloadPairs(service, script));
      const numbers = JSON.stringify(results, (_, value: unknown) =>
        typeof value === 'string' ? Number(value) : value,
      );
      expect(numbers).to.equal(`[${shown('json').trim().split('\n').join(',')}]`);
    },
  );

  itInCi('given the sentences about them, then their numbers are those of the answers', async () => {
    const september = 'date_from=2026-09-01&date_to=2026-09-30';
    const [compared] = (await answerTo(`/api/v1/accuracy/compare?city=Chicago&${september}`)).data as [
      { cases: number; losses: number; mae_difference: { value: number } },
    ];
    const scorecard = await answerTo(
      `/api/v1/accuracy/compare?group_by=country,lead_time_bucket&${september}`,
    );
    const cells = scorecard.data as { verdict: string }[];
    const [, sixty] = (await answerTo(`/api/v1/accuracy/events?metric=low&thresholds=40,60&${september}`))
      .data as { csi: number; pod: number; far: number }[];
    const [forty] = (await answerTo(`/api/v1/accuracy/events?metric=low&thresholds=40&${september}`))
      .data as { csi: number; pod: number; far: number }[];
    const [atFiftieth, atTenth] = (
      await answerTo(`/api/v1/accuracy/events?metric=low&thresholds=40&cost_loss=0.02,0.1&${september}`)
    ).data as { economic_value: number }[];
    const [chicago] = (
      await answerTo(`/api/v1/accuracy/events?city=Chicago&metric=low&thresholds=50&${september}`)
    ).data as { hits: number; misses: number; pod: number; pod_low: number; pod_high: number }[];
    const odds = (
      await answerTo('/api/v1/probability?station_id=KORD&forecast=83&lead_time_bucket=12-24h&thresholds=85')
    ).data as {
      training: { network_days: number };
      thresholds: [{ station_days_at_or_above: number; network_days_at_or_above: number }];
    };
    const count = (number: number): string => number.toLocaleString('en-US');
    const percent = (share: number | undefined): string => `${Math.round((share ?? NaN) * 100)}%`;
    const hundredths = (share: number | undefined): string => (share ?? NaN).toFixed(2);
    const sentences: Record<string, string[]> = {
      'comparison.md': [
        `MAE is ${compared.mae_difference.value} °F larger than the default's, and it loses ${compared.losses} of ${compared.cases} days`,
        `${cells.filter(({ verdict }) => verdict === 'worse').length} of ${scorecard.metadata.cells} cells are \`worse\` by themselves, and ${scorecard.metadata.significant_cells} remain`,
        `${percent(forty?.pod)} were forecast (\`pod\`); of the nights forecast so, ${percent(forty?.far)} were not`,
        `At 40 °F it is ${hundredths(atTenth?.economic_value)} for a ratio of 0.1, and ${hundredths(atFiftieth?.economic_value)} for 0.02`,
        `${hundredths(sixty?.csi)} at 60 °F against ${hundredths(forty?.csi)} at 40`,
        `${chicago?.hits} of ${(chicago?.hits ?? 0) + (chicago?.misses ?? 0)} nights at or below 50 °F were forecast: \`pod\` is ${hundredths(chicago?.pod)}, its interval ${hundredths(chicago?.pod_low)} to ${hundredths(chicago?.pod_high)}`,
      ],
      'probability.md': [
        `ends at 85 or more on ${odds.thresholds[0].station_days_at_or_above} days`,
        `it does on ${count(odds.thresholds[0].network_days_at_or_above)} of ${count(odds.training.network_days)}`,
      ],
    };
    const missing = Object.entries(sentences).flatMap(([name, wanted]) => {
      const text = document(name).replaceAll(/\s+/g, ' ');
      return wanted.filter((sentence) => !text.includes(sentence));
    });
    expect(missing).to.deep.equal([]);
  });
});
