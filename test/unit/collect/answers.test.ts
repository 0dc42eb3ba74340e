import { expect } from 'chai';
import { type FeedLine, type Reading, GapError } from '../../../src/collect/source.js';
import { expectLines, RECORDED, type Recorded, toChanged } from '../../support/collect/recorded.js';

const minute = (time: string | number): string => `${new Date(time).toISOString().slice(0, 16)}Z`;
const day = (ms: number): string => minute(ms).replace('T00:00Z', '');

/** The content of a body, a line for each row, normal, unusable part, gap and note; or that it is no answer. */
async function linesOf({ source, request }: Recorded, body: string): Promise<string[]> {
  let reading: Reading;
  try {
    reading = await source.read([body], request);
  } catch (error) {
    if (error instanceof GapError)
      return [`no answer${error.kind === 'final' ? ' for ever' : ''}: ${error.message}`];
    throw error;
  }
  for (const { provider } of reading.rows) expect(provider).to.equal(source.provider ?? undefined);
  const extremes = ({ high_f, low_f }: FeedLine): string => `${high_f || '-'}/${low_f || '-'}`;
  const cell = (text = ''): string => text || '-';
  return [
    ...reading.rows.map((row) => {
      const { station_id, at, temp_c, max_6h_c, min_6h_c, precip_in, sky } = row;
      if (at !== undefined)
        return `${station_id} ${at} ${cell(temp_c)} ${cell(max_6h_c)}/${cell(min_6h_c)} ${cell(precip_in)} ${cell(sky)}`;
      return row.target_date === undefined
        ? `${row.station_id} ${row.date} ${extremes(row)} ${row.status} ${minute(row.observed_at ?? '')}`
        : `${row.station_id} ${row.target_date} ${extremes(row)} of ${minute(row.issued_at ?? '')}`;
    }),
    ...(reading.normals ?? []).map((row) => `${row.station_id} ${row.month_day} ${extremes(row)} normal`),
    ...reading.unusable.map(({ unit, reason }) => `unusable ${unit}: ${reason}`),
    ...reading.gaps.map(
      ({ place, span, reason }) =>
        `gap ${place.station_id} ${day(span.from_ms)}..${day(span.to_ms)}: ${reason}`,
    ),
    ...(reading.notes ?? []).map(({ station_id, note }) => `note ${station_id}: ${note}`),
  ];
}

for (const [name, recorded] of Object.entries(RECORDED)) {
  describe(`what is read of ${name}`, () => {
    it('given it as recorded, then its rows and gaps', async () =>
      expectLines(await linesOf(recorded, recorded.body), recorded.lines));

    for (const change of recorded.changes)
      it(`given ${change.title}`, async () => {
        const { body, lines } = toChanged(recorded, change);
        expectLines(await linesOf(recorded, body), lines);
      });
  });
}
