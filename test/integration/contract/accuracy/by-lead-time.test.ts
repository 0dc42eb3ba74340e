import { expect } from 'chai';
import {
  answersAsAccuracyEndpoint,
  COMMON_METADATA,
  expectCsvLikeJson,
  QUESTION_PARAMETERS,
  readCsv,
  restrictsToStation,
} from '../../../support/contract/cases.js';
import { EMPTY_STATS, oneError, STATS_FIELDS, statsOf, WINDOW } from '../../../support/contract/data.js';
import { type Contract, sharedContract } from '../../../support/contract/contract.js';

const PATH = '/api/v1/accuracy/by-lead-time';
const METADATA = [...COMMON_METADATA, 'total_records'];
const COLUMNS = ['lead_time_bucket', 'label', 'description', ...STATS_FIELDS];

const LABELS = {
  '0-6h': '0–6 Hours Before Target Date',
  '6-12h': '6–12 Hours Before Target Date',
  '12-24h': '12–24 Hours Before Target Date',
  '24-48h': '24–48 Hours Before Target Date',
  '48-72h': '48–72 Hours Before Target Date',
  '72h+': '72+ Hours Before Target Date',
};
const BUCKETS = Object.keys(LABELS);

interface LeadTimeRecord {
  lead_time_bucket: keyof typeof LABELS;
  label: string;
  description: string;
  stats: Record<string, number | null>;
}

describe('GET /api/v1/accuracy/by-lead-time', () => {
  let contract: Contract;
  const records = async (query: string): Promise<LeadTimeRecord[]> =>
    (await contract.ok<LeadTimeRecord[]>(`${PATH}?${query}`)).data;

  before(async () => {
    contract = await sharedContract();
  });

  answersAsAccuracyEndpoint({
    path: PATH,
    parameters: { ...QUESTION_PARAMETERS, station_id: 'KORD', city: 'Chicago' },
    metadata: METADATA,
    misspelt: { station: 'station_id', citi: 'city' },
  });
  restrictsToStation(PATH);

  describe('the buckets (D5, D12)', () => {
    it('given any pair, then there are all six, in order, with their fields and labels', async () => {
      for (const query of [WINDOW, `${WINDOW}&station_id=VIDP`, `${WINDOW}&metric=low`]) {
        const found = await records(query);
        expect(found.map(({ lead_time_bucket }) => lead_time_bucket)).to.deep.equal(BUCKETS);
        for (const record of found) {
          expect(record).to.have.all.keys('lead_time_bucket', 'label', 'description', 'stats');
          expect(record.label).to.equal(LABELS[record.lead_time_bucket]);
        }
      }
    });

    it('given the descriptions, then each is a sentence of its own with the bounds of its bucket', async () => {
      const found = await records(WINDOW);
      expect(new Set(found.map(({ description }) => description)).size).to.equal(6);
      for (const { lead_time_bucket, description } of found) {
        for (const bound of lead_time_bucket.match(/\d+/g) ?? []) {
          expect(description, lead_time_bucket).to.match(new RegExp(`\\b${bound}\\b`));
        }
      }
    });

    it('given no station, then they are over the network', async () => {
      const { data, metadata } = await contract.ok<LeadTimeRecord[]>(`${PATH}?${WINDOW}`);
      expect(data.map(({ stats }) => stats)).to.deep.equal([
        // KORD +1 -1 (18th) +2 (17th) -3 (19th), KPWM 0, EGLL -0.5, KMDW -2: sum -3.5, absolute sum 9.5, squares 19.25;
        // variance 2.75 - 0.25; sizes 0 .5 1 1 2 2 3: p90 at 5.4, p95 at 5.7.
        statsOf(7, 4, -0.5, 1.58, 1.36, 1.66, 1, 2.4, 2.7),
        // KORD +2, KPDX +2, VIDP +0.75: squares 8.5625 / 3 = 2.8542; variance 2.8542 - 2.5069.
        statsOf(3, 1, 1.58, 0.59, 1.58, 1.69, 2, 2, 2),
        // KORD at 12 hours.
        oneError(-1.5),
        // KORD +3 +2, KPWM -1.5, EGLL +2: mean 1.375 and mae 2.125 (ties); squares 19.25 / 4 = 4.8125; variance 4.8125 -
        // 1.8906; sizes 1.5 2 2 3: p90 at 2.7, p95 at 2.85.
        statsOf(4, 2, 1.38, 1.71, 2.13, 2.19, 2, 2.7, 2.85),
        // KORD at 48 and at 72 hours.
        oneError(-4),
        oneError(5),
      ]);
      expect(metadata.total_records).to.equal(17);
    });

    it('given leads of 0, 6, 12, 24, 48 and 72 hours, then each is in the bucket that it begins', async () => {
      const found = await records('date_from=2024-03-18&date_to=2024-03-18&station_id=KORD');
      expect(found.map(({ stats }) => stats)).to.deep.equal([
        statsOf(2, 1, 0, 1, 1, 1, 1, 1, 1), // +1 at 0 hours, -1 at 5
        oneError(2),
        oneError(-1.5),
        oneError(3),
        oneError(-4),
        oneError(5),
      ]);
    });

    it('given a zone half an hour off, then the lead is from local midnight', async () => {
      const found = await records(`${WINDOW}&station_id=VIDP`);
      const filled = found.filter(({ stats }) => stats.verification_pairs !== 0);
      expect(filled.map(({ lead_time_bucket }) => lead_time_bucket)).to.deep.equal(['6-12h']);
      expect(filled[0]?.stats).to.deep.equal(oneError(0.75));
    });

    it('given a bucket without a pair, then its counts are 0 and the rest null (D10)', async () => {
      const found = await records(`${WINDOW}&metric=low`);
      expect(found.map(({ stats }) => stats)).to.deep.equal([
        oneError(-1.75),
        oneError(1.5),
        EMPTY_STATS,
        EMPTY_STATS,
        EMPTY_STATS,
        EMPTY_STATS,
      ]);
    });

    it('given any question, then the pairs of the buckets add up to those of the summary', async () => {
      for (const query of [WINDOW, `${WINDOW}&station_id=EGLL`, `${WINDOW}&metric=low`, 'days=365']) {
        const pairs = (await records(query)).reduce(
          (sum, { stats }) => sum + (stats.verification_pairs ?? 0),
          0,
        );
        const summary = await contract.ok<Record<string, number>>(`/api/v1/accuracy/summary?${query}`);
        expect(pairs, query).to.equal(summary.data.verification_pairs);
      }
    });

    for (const [given, query] of [
      ['a window without a pair', 'date_from=2024-03-01&date_to=2024-03-10'],
      ['a station without a pair', `${WINDOW}&station_id=KSEA`],
      ['a station without lows', `${WINDOW}&station_id=KPWM&metric=low`],
    ] as const) {
      it(`given ${given}, then data is [] and total_records 0 (D10)`, async () => {
        const { data, metadata } = await contract.ok(`${PATH}?${query}`);
        expect(data).to.deep.equal([]);
        expect(metadata.total_records).to.equal(0);
        expect(metadata).to.have.all.keys(...METADATA);
      });
    }
  });

  describe('the CSV (D17)', () => {
    for (const [of, query] of [
      ['all stations', ''],
      ['a station', '&station_id=KORD'],
      ['the lows, with empty buckets', '&metric=low'],
    ] as const) {
      it(`has the columns and the values of the JSON, for ${of}`, async () => {
        const { rows } = await expectCsvLikeJson(contract, `${PATH}?${WINDOW}${query}`, COLUMNS);
        expect(rows).to.have.length(6);
      });
    }

    it('given a bucket without a pair, then the counts are 0 and the other cells empty', async () => {
      const { rows } = await readCsv(contract, `${PATH}?${WINDOW}&metric=low`);
      expect(rows[5]?.slice(0, 5)).to.deep.equal([
        'low',
        '2024-03-16',
        '2024-03-19',
        '72h+',
        '72+ Hours Before Target Date',
      ]);
      expect(rows[5]?.slice(6)).to.deep.equal(['0', '0', '', '', '', '', '', '', '']);
    });

    it('given no pair, then it is the header', async () => {
      const { text } = await expectCsvLikeJson(contract, `${PATH}?station_id=KSEA`, COLUMNS);
      expect(text).to.equal(`metric,period_start,period_end,${COLUMNS.join(',')}\r\n`);
    });

    it('has a file name that tells the endpoint, the metric and the window', async () => {
      const { fileName } = await readCsv(contract, `${PATH}?${WINDOW}`);
      for (const word of ['by-lead-time', 'high', '2024-03-16', '2024-03-19']) {
        expect(fileName).to.include(word);
      }
    });
  });
});
