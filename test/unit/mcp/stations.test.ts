import { expect } from 'chai';
import { LocalClient } from '../../../src/responses/local-client.js';
import { started, stationOfCall, type StationOfCall } from '../../../src/mcp/station-search.js';
import { withDates } from '../../../src/mcp/tool.js';
import { compareForecasts } from '../../../src/mcp/tools/compare-providers.js';
import { dataStatus } from '../../../src/mcp/tools/data-status.js';
import { probabilityTool } from '../../../src/mcp/tools/odds.js';
import { type Directory, type Station, StationIndex } from '../../../src/stations/directory.js';
import type { Version } from '../../../src/store/data-version.js';

const station = (station_id: string, iata: string, city_name: string, timezone: string, ...aliases: string[]) => ({
  station_id,
  city_name,
  timezone,
  day_boundary: 'civil',
  aliases,
  external_ids: { iata },
}); // prettier-ignore

const STATIONS = [
  station('KMDW', '', 'Chicago Midway', 'America/Chicago', 'Chicago', 'KPDX'),
  station('KORD', 'ORD', 'Chicago', 'America/Chicago', 'Windy City'),
  station('KPDX', 'PDX', 'Portland', 'America/Los_Angeles'),
  station('KPWM', 'PWM', 'Portland', 'America/New_York'),
  station('NZAA', 'AKL', 'Auckland', 'Pacific/Auckland'),
] as unknown as Station[];
const NOW = new Date('2026-08-11T13:05:59Z');
const questions = new LocalClient('', [], () => NOW, {
  dataVersion: { current: () => Promise.resolve({} as Version) },
  directory: { at: () => Promise.resolve({ stations: new StationIndex(STATIONS) } as Directory) },
});
const at = async (name: string): Promise<StationOfCall | undefined> => {
  const found = await questions.station(name);
  return found && stationOfCall(found, NOW);
};

describe('the station of a call', () => {
  for (const [name, found] of [
    ['kord', 'KORD'],
    ['AKL', 'NZAA'],
    ['chicago ', 'KORD'], // a city before an alias
    ['KPDX', 'KPDX'], // an id before an alias
    ['Windy City', 'KORD'],
    ['Portland', undefined], // two cities: the API says so
    ['Atlantis', undefined],
    ['KORD,KPDX', undefined],
    ['', undefined], // of a station without an IATA code
  ] as const) {
    it(`given ${JSON.stringify(name)}, then it is ${found}, as for the API`, async () => {
      expect((await at(name))?.station_id).to.equal(found);
    });
  }

  it("given no day, then a question ends on the station's day; given any, or a version, then on that", async () => {
    const [auckland, chicago] = [(await at('AKL'))!, (await at('ORD'))!];
    expect([auckland.local_time, chicago.local_time]).to.deep.equal(['2026-08-12T01:05', '2026-08-11T08:05']);
    expect(withDates(probabilityTool, {}, auckland, NOW)).to.deep.equal({ target_date: '2026-08-12' });
    expect(withDates(compareForecasts, { days: '7' }, chicago, NOW)).to.deep.equal({
      days: '7',
      date_to: '2026-08-11',
    });
    for (const said of [{ date_from: '2026-08-01' }, { date_to: '2026-08-01' }, { as_of: 'v4' }])
      expect(withDates(compareForecasts, said, auckland, NOW)).to.deep.equal(said);
    expect(withDates(dataStatus, {}, auckland, NOW)).to.deep.equal({});
  });

  it('given a day, then it is said to have begun from its first minute at the station', async () => {
    expect(started('2026-08-12', await at('AKL'))).to.equal(
      '2026-08-12 has begun at the station, where it is 2026-08-12T01:05',
    );
    expect(started('2026-08-11', await at('AKL'))).to.equal(
      '2026-08-11 has ended at the station, where it is 2026-08-12T01:05',
    );
    expect(started('2026-08-12', await at('ORD'))).to.equal(undefined);
    expect(started('2026-08-12', undefined)).to.equal(undefined);
  });
});
