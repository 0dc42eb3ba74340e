import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import {
  type CollectedReport,
  eventsOf,
  type FinishedLoad,
  reportOf,
  textFor,
} from '../../../src/events/events.js';
import { SOURCE } from '../../support/collect/collected.js';

const FROZEN = {
  kind: 'frozen',
  provider: 'nws',
  station_id: null,
  metric: null,
  since: '2026-01-04',
  message: 'nws: 162 of 164 stations repeat the values of 2 issuances',
};
const SUSPECT = { ...FROZEN, kind: 'suspect', provider: null, station_id: 'KORD', message: 'KORD: 3 values' };

/** A load with this report. */
const loadOf = (report: object, load_id = 412): FinishedLoad => ({
  load_id,
  finished_ms: Date.parse('2026-01-06T07:00:00.250Z'),
  providers: ['nws'],
  report: reportOf(JSON.stringify({ outcome: 'complete', ...report })),
  touched: [{ provider: 'nws', station_days: 3, stations: new Set(['KORD', 'KJFK']) }],
});

/** A report of the collector, with sources that last succeeded so many hours before it; null: never. */
const collected = (hours: Record<string, number | null>, more: object = {}): CollectedReport => ({
  at: '2026-01-06T06:00:00Z',
  sources: Object.entries(hours).map(([source, ago]) => ({
    ...{ ...SOURCE, feed: 'forecasts' as const, attribution: null, ...more },
    source,
    last_success_at:
      ago === null ? null : new Date(Date.parse('2026-01-06T06:00:00Z') - ago * 3_600_000).toISOString(),
  })),
});

const told = (report: object, before?: CollectedReport) =>
  eventsOf(loadOf(report), 'k7q2', before).events.map(({ event }) => event);
const sources = (now: CollectedReport, before?: CollectedReport) =>
  told({ collected: now }, before).flatMap((event) =>
    event.event === 'source' ? [[event.data.source, event.data.state]] : [],
  );

describe('the events of a load', () => {
  it('given a load, then one event says what it brought', () => {
    expect(told({})).to.deep.equal([
      {
        id: 'v412.k7q2',
        event: 'version',
        data: {
          version: 412,
          lineage: 'k7q2',
          finished_at: '2026-01-06T07:00:00.250Z',
          outcome: 'complete',
          providers: ['nws'],
          station_days: [{ provider: 'nws', station_days: 3 }],
        },
      },
    ]);
  });

  it('given alarms, then they come before the version, whose name is the last id', () => {
    const events = told({ watch: { alarms: [FROZEN], raised: [FROZEN, SUSPECT], cleared: [SUSPECT] } });
    expect(events.map(({ id, event }) => [id, event])).to.deep.equal([
      ['v412.k7q2-1', 'alarm'],
      ['v412.k7q2-2', 'alarm'],
      ['v412.k7q2-3', 'clear'],
      ['v412.k7q2', 'version'],
    ]);
    expect(events[0]?.data).to.deep.include({ version: 412, lineage: 'k7q2', ...FROZEN });
  });

  it('given a report that this version of the service does not know, then the version is told all the same', () => {
    for (const report of [
      { watch: 'later' },
      { collected: { sources: 7 } },
      { outcome: 'odd', watch: { raised: [1] } },
    ])
      expect(told(report).map(({ event }) => event)).to.deep.equal(['version']);
    expect(reportOf('{"outcome": "odd"}').outcome).to.equal('complete');
  });

  it('given a source beyond its limit, then it falls silent once; with an answer it is back', () => {
    const late = collected({ 'iem-nbm': 18.1, 'iem-cli': 6.1, 'noaa-nbp': 42.1 });
    const inTime = collected({ 'iem-nbm': 18, 'iem-cli': 6, 'noaa-nbp': 42 });
    const silent = [
      ['iem-nbm', 'silent'],
      ['iem-cli', 'silent'],
      ['noaa-nbp', 'silent'],
    ];
    expect(sources(late, inTime)).to.deep.equal(silent);
    expect(sources(late)).to.deep.equal(silent);
    expect(sources(late, late)).to.deep.equal([]);
    expect(sources(inTime, inTime)).to.deep.equal([]);
    expect(sources(inTime, late)).to.deep.equal(silent.map(([source]) => [source, 'back']));
    expect(sources(collected({ 'iem-nbm': null }), inTime)).to.deep.equal([['iem-nbm', 'silent']]);
  });

  it('given a source that is not asked, then nothing is told of it', () => {
    const none = collected({ 'iem-nbm': null }, { stations: 0 });
    expect(sources(none)).to.deep.equal([]);
    expect(sources(collected({ 'iem-nbm': 1 }), none)).to.deep.equal([]);
  });

  it('given the alert of Prometheus, then a source is silent by its limits', () => {
    const alerts = readFileSync(new URL('../../../grafana/alerts.yml', import.meta.url), 'utf8');
    const limits = [
      ...alerts.matchAll(/collect_last_success\w+\{source(=~?|!~)"([^"]+)"\}\) > (\d+) \* 3600/g),
    ];
    expect(limits.map(([, ...limit]) => limit)).to.deep.equal([
      ['=~', 'iem-(cli|pfm)', '6'],
      ['=', 'noaa-nbp', '42'],
      ['!~', 'iem-(cli|pfm)|noaa-nbp', '18'],
    ]);
    expect(sources(collected({ 'iem-pfm': 7, 'iem-daily': 7 }))).to.deep.equal([['iem-pfm', 'silent']]);
  });
});

describe('the text of events', () => {
  const load = eventsOf(
    loadOf({ watch: { alarms: [], raised: [FROZEN, SUSPECT], cleared: [] } }),
    'k7q2',
    undefined,
  );
  const [frozen, suspect, version] = load.events.map(({ frame }) => frame.toString());
  const place = 'id: v412.k7q2\n\n';
  const text = (wishes: Parameters<typeof textFor>[1], skip?: number) =>
    textFor(load, wishes, skip).toString();

  it('given no wishes, then it is one buffer for all who listen', () => {
    expect(textFor(load, {})).to.equal(load.whole);
    expect(text({})).to.equal(`${frozen}${suspect}${version}`);
    expect(version).to.match(/^id: v412\.k7q2\nevent: version\ndata: \{[^\n]*\}\n\n$/);
  });

  it('given wishes, then it has their events, and at last the place', () => {
    expect(text({ kinds: new Set(['alarm']) })).to.equal(`${frozen}${suspect}${place}`);
    expect(text({ kinds: new Set(['clear']) })).to.equal(place);
    expect(text({ kinds: new Set(['clear', 'version']) })).to.equal(version);
    expect(text({ provider: 'nbm' })).to.equal(`${suspect}${place}`);
    expect(text({ provider: 'nws' })).to.equal(load.whole.toString());
    expect(text({ stations: ['KJFK'] })).to.equal(`${frozen}${version}`);
    expect(text({ stations: ['KBOS'] })).to.equal(`${frozen}${place}`);
    expect(text({ stations: ['KBOS', 'KORD'], provider: 'nws' })).to.equal(`${frozen}${suspect}${version}`);
  });

  it('given the events that somebody has, then only the others', () => {
    expect(text({}, 1)).to.equal(`${suspect}${version}`);
    expect(text({ kinds: new Set(['alarm']) }, 2)).to.equal(place);
  });

  it('given a load whose station days are not counted, then everybody hears of its version', () => {
    const large = eventsOf({ ...loadOf({}), touched: undefined }, 'k7q2', undefined);
    expect(textFor(large, { provider: 'nbm', stations: ['KBOS'] }).toString()).to.equal(
      large.whole.toString(),
    );
    expect(large.whole.toString()).to.include('"station_days":null');
  });
});
