import { expect } from 'chai';
import { type EndpointParams, MAX_CPU_MS } from '../../../src/api/endpoint.js';
import { LONG_WORK_MS } from '../../../src/responses/endpoint-handler.js';
import { readRequest } from '../../../src/api/groups.js';
import { ENDPOINTS } from '../../../src/endpoints.js';
import { type Directory, type Station, StationIndex } from '../../../src/stations/directory.js';
import { Providers } from '../../../src/stations/provider-choice.js';

// Guards which questions are refused for the length of their arithmetic, and which of 2,000 stations are not.

const NOW = Date.UTC(2026, 8, 30);
const YEAR = 'date_from=2025-09-28&date_to=2026-09-28';

const stationOf = (at: number): Station => ({
  ...{ station_id: `K${String(at).padStart(5, '0')}`, city_name: `City ${at}`, country: 'US', latitude: 41 },
  ...{ longitude: -87, timezone: 'America/Chicago', day_boundary: 'civil', climate_zone: 'Dfa' },
  ...{ data_active: true, aliases: [], external_ids: { icao: '', iata: '' }, reported_in: '' },
});

const directoryOf = (stations: number): Directory => ({
  stations: new StationIndex(Array.from({ length: stations }, (_, at) => stationOf(at))),
  providers: new Providers([['alpha', 'beta']]),
  ...{ asOf: undefined, timeline: 'k7q2' },
});

/** The arithmetic of a question, and why it is refused. */
function asked(url: string, directory: Directory) {
  const endpoint = ENDPOINTS.find(({ paths }) => paths.includes(url.split('?', 1)[0]!))!;
  const request = { url, accept: '', now: NOW, preferred: () => undefined };
  const question: EndpointParams = readRequest(endpoint, request).resolve(directory);
  const estimatedCpuMs = endpoint.estimatedCpuMs!(question, directory);
  return { estimatedCpuMs, refusal: endpoint.validate?.(question, directory) };
}

const BLENDED = `/probability/reliability?${YEAR}&window=365&providers=alpha,beta`;
const DEAREST = [
  `/probability/reliability?${YEAR}&window=365`,
  BLENDED.replace('2025-09-28', '2026-08-01'),
  `/accuracy/events?${YEAR}&group_by=station&thresholds=10,20,30,40,50,60,70,80,90,100`,
  `/accuracy/bias-correction?${YEAR}&window=365`,
  `/accuracy/compare?${YEAR}&providers=alpha,beta&group_by=station`,
  `/accuracy/skill?${YEAR}&group_by=station`,
  `/data/suspects?${YEAR}`,
];

describe('questions whose arithmetic takes long', () => {
  const [few, many] = [20, 2000].map(directoryOf) as [Directory, Directory];

  for (const url of DEAREST) {
    it(`${url} of 2,000 stations is long, and answered`, () => {
      const { estimatedCpuMs, refusal } = asked(url, many);
      expect(estimatedCpuMs).to.be.within(1000, MAX_CPU_MS);
      expect(refusal).to.equal(undefined);
      expect(asked(url, few).estimatedCpuMs).to.be.below(estimatedCpuMs / 50);
    });
  }

  for (const url of [
    `/accuracy/hit-rate?${YEAR}`,
    `/accuracy/revision-stats?${YEAR}`,
    `/accuracy/sample-size?${YEAR}`,
    `/accuracy/by-city?${YEAR}&ci=0.9`,
  ]) {
    it(`${url} of 2,000 stations does not hold the event loop, and of 20 it needs no worker`, () => {
      expect(asked(url, many).estimatedCpuMs).to.be.within(LONG_WORK_MS + 1, MAX_CPU_MS);
      expect(asked(url, few).estimatedCpuMs).to.be.below(LONG_WORK_MS / 5);
    });
  }

  it('a blend over a year is refused with the way out, and one of a shorter window is answered', () => {
    const { refusal } = asked(BLENDED, many);
    expect(refusal?.parameter).to.equal('days');
    expect(refusal?.message).to.match(
      /^would take about \d\d s of processor time, but a response may take 10 s; ask month by month/,
    );
    expect(asked(BLENDED.replace('window=365', 'window=60'), many).refusal).to.equal(undefined);
    expect(asked(BLENDED, few).refusal).to.equal(undefined);
  });
});
