import { expect } from 'chai';
import { type FeedLine, type Request, type Span, type StationPlace } from '../../../src/collect/source.js';
import { noaaNbp } from '../../../src/collect/sources/noaa-nbp.js';
import { fixture } from '../../support/collect/fixtures.js';
import { answered, inOrder, spanOf } from '../../support/collect/reading.js';
import { nbpForecasts, noaaNbp as stub } from '../../support/collect/stub/noaa-nbp.js';
import { EGLL, KDEN, KNYC, KORD } from '../../support/collect/world.js';
import { range } from '../../support/runner/range.js';

const NOW = Date.parse('2026-11-22T16:00:00Z');
const TEXT = fixture('nbp-2026-09-28.txt');

/** A place in the blend under the name of the fixture's station, as its part says the same wherever it is. */
const inZone = (timezone: string): StationPlace => ({ ...KNYC, timezone });
const requestOf = (...places: StationPlace[]): Request => ({
  paths: ['/blend.20260928/13/text/blend_nbptx.t13z'],
  covers: places.map((place) => ({ place, span: spanOf('2026-09-28', '2026-09-29') })),
  requested_ms: NOW,
});
const rowsOf = (body: string, place: StationPlace = KNYC): FeedLine[] =>
  noaaNbp.read([body], requestOf(place)).rows;

/** The lines that a sieve keeps of a text, and how many it has seen. */
function sieved(text: string, request: Request): { kept: string; seen: number } {
  const sieve = noaaNbp.sieve?.(request);
  const lines = text.split('\n').slice(0, -1);
  const verdicts: string[] = [];
  for (const line of lines) {
    verdicts.push(sieve?.(line) ?? '');
    if (verdicts.at(-1) === 'enough') break;
  }
  const kept = lines.filter((_, at) => verdicts[at] === 'keep').map((line) => `${line}\n`);
  return { kept: kept.join(''), seen: verdicts.length };
}

describe('what the probabilistic text of the National Blend says', () => {
  it('given a run, then each date has mean, standard deviation and five quantiles of both extremes', () => {
    expect(rowsOf(TEXT)[0]).to.deep.equal({
      ...{ station_id: 'KNYC', issued_at: '2026-09-28T14:15:00Z', target_date: '2026-09-29' },
      ...{ high_f: '82', high_sd_f: '2', low_f: '77', low_sd_f: '5' },
      ...{ high_p10_f: '79', high_p25_f: '81', high_p50_f: '82', high_p75_f: '83', high_p90_f: '85' },
      ...{ low_p10_f: '71', low_p25_f: '74', low_p50_f: '77', low_p75_f: '80', low_p90_f: '83' },
      provider: 'nbp',
    });
  });

  for (const zone of range({ test: 1, ci: Infinity }, [
    'America/Puerto_Rico',
    'America/Chicago',
    'America/Phoenix',
    'America/Los_Angeles',
    'America/Anchorage',
    'America/Adak',
    'Pacific/Honolulu',
  ]))
    it(`given ${zone}, then the maximum at 00Z is of the day before, and the minimum at 12Z of its own`, () => {
      const [first, ...rest] = rowsOf(TEXT, inZone(zone));
      expect(first).to.include({ target_date: '2026-09-29', high_f: '82', low_f: '77' });
      expect(rest.at(-1)).to.include({ target_date: '2026-10-07', high_f: '85', low_f: '63' });
    });

  it('given Guam, where the blend has the minimum at 00Z, then each extreme is of its local day', () => {
    const [first, second] = rowsOf(TEXT, inZone('Pacific/Guam'));
    // 12Z of the 29th is 10 PM of the 29th; 00Z of the 30th is 10 AM of the 30th.
    expect(first).to.include({ target_date: '2026-09-29', high_f: '77', low_f: '' });
    expect(second).to.include({ target_date: '2026-09-30', high_f: '70', low_f: '82', low_p10_f: '79' });
  });

  it('given values of three digits and below zero, then each is of its own column', () => {
    const body = TEXT.replace('TXNMN  77| 82  70| 72', 'TXNMN -10|101 101|-12');
    expect(rowsOf(body).slice(0, 2)).to.deep.include.members([
      { ...rowsOf(TEXT)[0], high_f: '101', low_f: '-10' },
      { ...rowsOf(TEXT)[1], high_f: '-12', low_f: '101' },
    ]);
  });

  it('given missing quantiles, or a row of missing ones left out, then their cells are blank', () => {
    const [own = ''] = /^ KNYC[^]*?Q24P9/m.exec(TEXT) ?? [];
    const without = (text: RegExp, instead: string): FeedLine =>
      rowsOf(TEXT.replace(own, own.replace(text, instead)))[0] ?? {};
    const whole = rowsOf(TEXT)[0];
    expect(without(/TXNP1 {2}71\| 79/, 'TXNP1 -99|-99')).to.deep.equal({
      ...whole,
      high_p10_f: '',
      low_p10_f: '',
    });
    expect(without(/^ TXNSD.*\n/m, '')).to.deep.equal({ ...whole, high_sd_f: '', low_sd_f: '' });
  });

  it('given the text as earlier versions have it, with blanks behind each line, then it says the same', () => {
    const earlier = TEXT.replaceAll('V5.0', 'V4.2').replace(/$/gm, '  ').replace(/ +$/, '');
    expect(rowsOf(earlier)).to.deep.equal(rowsOf(TEXT));
  });

  it('given a station that it lacks beside one that it has, then only that one is missing, for ever', () => {
    const reading = noaaNbp.read([TEXT], requestOf(KNYC, KDEN));
    expect(reading.rows).to.deep.equal(rowsOf(TEXT));
    expect(reading.gaps).to.deep.equal([
      { ...requestOf(KDEN).covers[0], reason: 'NBP has no extremes of KDEN', kind: 'final' },
    ]);
  });
});

describe('what is kept of the probabilistic text', () => {
  it('given stations, then their rows of temperatures, which are read as the whole', () => {
    const request = requestOf(KNYC, KORD);
    const { kept } = sieved(TEXT, request);
    expect(noaaNbp.read([kept], request)).to.deep.equal(noaaNbp.read([TEXT], request));
    expect(kept).not.to.match(/WSPP5|Q24P9/);
    expect(kept.match(/TXNMN/g)).to.have.length(2);
  });

  it('given that all stations have come, then the next one ends it', () => {
    const { seen } = sieved(TEXT, requestOf(KNYC));
    const header = TEXT.split('\n').findIndex((line) => line.startsWith(' KORD'));
    expect(seen).to.equal(header + 1);
  });

  it('given a station that the text lacks, then it is known as such a text', () => {
    const { kept } = sieved(TEXT, requestOf(KDEN));
    expect(noaaNbp.read([kept], requestOf(KDEN)).gaps).to.have.length(1);
    expect(kept).not.to.contain('TXNMN');
  });
});

describe('what is asked of NOAA’s archive', () => {
  const spansOf = (requests: readonly Request[]): Span[] =>
    requests.map(({ covers }) => covers[0]?.span ?? spanOf('', ''));

  it('given stations and days, then one text a day for all of them, the newest first, without gap', () => {
    const span = spanOf('2026-11-18', '2026-11-22T16:00Z');
    const plan = noaaNbp.plan(
      [KNYC, KORD].map((place) => ({ place, span })),
      NOW,
    );
    expect(plan.map(({ paths }) => paths)).to.deep.equal(
      [22, 21, 20, 19, 18].map((day) => [`/blend.202611${day}/13/text/blend_nbptx.t13z`]),
    );
    for (const { covers } of plan)
      expect(covers.map(({ place }) => place.station_id)).to.deep.equal(['KNYC', 'KORD']);
    const spans = spansOf(plan).reverse();
    expect(spans[0]?.from_ms).to.equal(span.from_ms);
    expect(spans.at(-1)?.to_ms).to.equal(span.to_ms);
    for (const [at, { from_ms }] of spans.entries())
      if (at > 0) expect(from_ms).to.equal(spans[at - 1]?.to_ms);
  });

  it('given a run, then it is asked for and expected once it is out', () => {
    for (const [asked, runs] of [
      ['2026-11-22T14:14:59Z', 0],
      ['2026-11-22T14:15:00Z', 1],
    ] as const) {
      const [span, requested_ms] = [spanOf('2026-11-22', asked), Date.parse(asked)];
      expect(noaaNbp.plan([{ place: KNYC, span }], requested_ms)).to.have.length(runs);
      expect(noaaNbp.expected(span, requested_ms)).to.equal(runs);
    }
  });

  it('given a status, then a 404 for a text that the archive lacks is a gap, and any other is a fault', () => {
    const said = (status: number, body: string) => noaaNbp.refusal?.(status, body)?.message;
    expect(said(404, '<Error><Code>NoSuchKey</Code></Error>')).to.equal('the archive does not have this run');
    expect(said(404, 'no such page')).to.equal(undefined);
    expect(said(403, '<Error><Code>AccessDenied</Code></Error>')).to.equal(undefined);
  });

  it('given stations, then those of the NWS are served; its line says whose the data are', () => {
    expect([KNYC, KORD, EGLL].filter(noaaNbp.serves)).to.deep.equal([KNYC, KORD]);
    expect(noaaNbp.attribution)
      .to.match(/NOAA.*public domain/)
      .and.to.contain('not of the climate day');
  });

  it('given the world, then exactly its numbers are read', () => {
    const span = spanOf('2026-10-30', '2026-11-03');
    const needs = [KNYC, KORD, KDEN].map((place) => ({ place, span }));
    const readings = noaaNbp.plan(needs, NOW).map((request) => answered(noaaNbp, stub, request, NOW));
    expect(readings.flatMap(({ unusable, gaps }) => [...unusable, ...gaps])).to.be.empty;
    const wanted = needs.flatMap(({ place }) => nbpForecasts(place, span));
    expect(wanted).to.have.length(3 * 4 * 9);
    const sorted = (rows: readonly FeedLine[]): string[] =>
      inOrder(rows.map((row) => Object.fromEntries(Object.entries(row).sort())));
    expect(sorted(readings.flatMap(({ rows }) => rows))).to.deep.equal(sorted(wanted));
  });
});
