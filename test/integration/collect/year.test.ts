import { expect } from 'chai';
import { addDays } from '../../../src/statistics/time/calendar.js';
import type { DryRun } from '../../../src/collect/pass/dry-run.js';
import type { RunReport } from '../../../src/collect/pass/run-report.js';
import type { StationPlace } from '../../../src/collect/source.js';
import { StubServer } from '../../support/collect/stub-server.js';
import { KDEN, KNYC, KORD } from '../../support/collect/world.js';
import { killPrograms, Program, run } from '../../support/process.js';
import { describeInCi, itInCi, itInStressTier } from '../../support/runner/range.js';
import { temporaryFolder } from '../../support/store.js';

const STATIONS = 20;
const LETTERS = 'ABCDEFGHIJKLMNOPQRST';

/** Stations in three zones, each with an office of its own. */
const places = Array.from({ length: STATIONS }, (_, at): StationPlace => {
  const like = [KNYC, KORD, KDEN][at % 3] as StationPlace;
  const letter = LETTERS[at];
  const id = `KX${letter}X`;
  return { ...like, station_id: id, climate_report_id: id, city_name: `City ${letter}`, wfo: `X${letter}X` };
});

const today = new Date().toISOString().slice(0, 10);
const ARGUMENTS = [
  ...['--stations', places.map(({ station_id }) => station_id).join(), '--from', addDays(today, -365)],
  ...['--sources', 'iem-nbm,iem-cli', '--contact', 'me@example.org', '--json'],
];

describeInCi('a year of 20 stations', function () {
  let stub: StubServer;

  before(async () => {
    stub = await StubServer.start({ places });
  });
  after(async () => {
    killPrograms();
    await stub.stop();
  });

  const slow = { DATA_DIR: temporaryFolder(), IEM_URL: 'of the stub' };
  let requests = 0;

  itInCi('given the dry run, then it is 80 requests in some 6 minutes and some 120 MB', async () => {
    slow.IEM_URL = stub.url;
    const dry = JSON.parse((await run('collect', [...ARGUMENTS, '--dry-run'], slow)).stdout) as DryRun;
    const sum = (of: (source: DryRun['sources'][number]) => number): number =>
      dry.sources.reduce((total, source) => total + of(source), 0);
    requests = sum((source) => source.requests);
    expect(requests).to.be.within(80, 100);
    expect(dry.min_seconds).to.equal(4 * requests);
    expect(sum(({ estimated_bytes }) => estimated_bytes)).to.be.within(90e6, 250e6);
  });

  // Two minutes; the dry run stands for it in `make ci`.
  itInStressTier('given a pass, then that is what it asks, in flat memory', async () => {
    stub.log.length = 0;
    const collecting = new Program('collect', ARGUMENTS, { ...slow, IEM_GAP_SECONDS: '0' });
    const ended = await collecting.end(250_000);
    expect(ended.code, ended.stderr.slice(-1000)).to.equal(0);
    expect(stub.log).to.have.length(requests + 1);
    const { loads, seconds } = JSON.parse(ended.stdout) as RunReport;
    const rows = loads
      .flatMap(({ feeds }) => Object.values(feeds))
      .reduce((all, { rows_read }) => all + rows_read, 0);
    expect(rows).to.be.above(200_000);
    expect(loads.length).to.be.above(1);
    const peaks = loads.map(({ peak_memory_mb }) => peak_memory_mb);
    console.log(JSON.stringify({ rows, seconds, peaks, loads: loads.map((load) => load.seconds) }));
    // The engine takes most of it, whatever there is to collect.
    expect(Math.max(...peaks)).to.be.below(1500);
  });
});
