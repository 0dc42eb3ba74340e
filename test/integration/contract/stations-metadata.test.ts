import { expect } from 'chai';
import { answersInFormats, cells, CSV_TYPE, head, readCsv } from '../../support/contract/cases.js';
import { type Contract, sharedContract } from '../../support/contract/contract.js';

const PATH = '/api/v1/stations/metadata';

const station = (
  station_id: string,
  city_name: string,
  country: string,
  [latitude, longitude]: [number, number],
  timezone: string,
  climate_zone: string,
  aliases: string[],
  iata: string,
  data_active = true,
) => ({
  station_id,
  city_name,
  country,
  latitude,
  longitude,
  timezone,
  climate_zone,
  data_active,
  aliases,
  external_ids: { icao: station_id, iata },
});

const STATIONS = [
  station(
    'EGLL',
    'London, "Heathrow"',
    'GB',
    [51.4775, -0.461389],
    'Europe/London',
    'Cfb',
    ['LHR Airport', 'Heathrow'],
    'LHR',
  ),
  station(
    'KMDW',
    'chicago midway',
    'US',
    [41.7842, -87.7553],
    'America/Chicago',
    'Dfa',
    ['Chicago', 'KPDX', 'PWM'],
    '',
    false,
  ),
  station(
    'KORD',
    'Chicago',
    'US',
    [41.9602, -87.9316],
    'America/Chicago',
    'Dfa',
    ['Windy City', `O'Hare`],
    'ORD',
  ),
  station(
    'KPDX',
    'Portland',
    'US',
    [45.5958, -122.6093],
    'America/Los_Angeles',
    'Csb',
    ['Portland OR', 'Northwest'],
    'PDX',
  ),
  station('KPWM', 'Portland', 'US', [43.6497, -70.3002], 'America/New_York', 'Dfb', ['Portland ME'], 'PWM'),
  station('KSEA', '@Seattle', 'US', [47.4447, -122.3144], 'America/Los_Angeles', 'Csb', ['northwest'], 'SEA'),
  station('VIDP', '=Delhi', 'IN', [28.5665, 77.1031], 'Asia/Kolkata', '', ['-Dilli', 'São Delhi'], 'DEL'),
];

describe('GET /api/v1/stations/metadata', () => {
  let contract: Contract;

  before(async () => {
    contract = await sharedContract();
  });

  it('given stations active and not, with pairs and without, then it has all, by station_id', async () => {
    const { data } = await contract.ok(PATH);
    expect(data).to.deep.equal(STATIONS);
  });

  it('has no metadata', async () => {
    expect(await contract.ok(PATH)).to.have.all.keys('success', 'data');
  });

  describe('the parameters (D18)', () => {
    for (const [name, value] of Object.entries({
      station_id: 'KORD',
      city: 'Chicago',
      days: '7',
      metric: 'high',
    })) {
      it(`given ${name}, which it does not take, then it is refused`, async () => {
        const faults = await contract.faults(`${PATH}?${name}=${value}`);
        expect(faults.map(({ parameter }) => parameter)).to.deep.equal([name]);
      });
    }

    it('given several, then all are listed at once', async () => {
      const faults = await contract.faults(`${PATH}?limit=10&page=2&format=xml`);
      expect(faults.map(({ parameter }) => parameter)).to.have.members(['limit', 'page', 'format']);
    });

    it('given a misspelt format, then there is a hint', async () => {
      const [fault] = await contract.faults(`${PATH}?fromat=csv`);
      expect(fault?.message).to.match(/did you mean format\b/);
    });
  });

  answersInFormats(PATH);

  describe('the path and the method (D18)', () => {
    it('given a trailing slash, then the answer is the same', async () => {
      expect(await contract.ok(`${PATH}/`)).to.deep.equal(await contract.ok(PATH));
    });

    it('given HEAD, then it is the status and the type of GET without a body', async () => {
      for (const [query, status, type] of [
        ['', 200, 'application/json; charset=utf-8'],
        ['?format=csv', 200, CSV_TYPE],
        ['?nonsense=1', 400, 'application/json; charset=utf-8'],
      ] as const) {
        const response = await head(contract, `${PATH}${query}`);
        expect([response.status, response.headers['content-type']], query).to.deep.equal([status, type]);
        expect(response.text ?? '', query).to.equal('');
      }
    });
  });

  describe('the CSV (D17)', () => {
    it('has the fields of the JSON in their order, external_ids flattened and aliases joined', async () => {
      const { header, rows } = await readCsv(contract, PATH);
      expect(header).to.deep.equal([
        'station_id',
        'city_name',
        'country',
        'latitude',
        'longitude',
        'timezone',
        'climate_zone',
        'data_active',
        'aliases',
        'icao',
        'iata',
      ]);
      expect(rows).to.deep.equal(STATIONS.map((each) => cells({ ...each, aliases: each.aliases.join('|') })));
    });

    it('is this text: formulas guarded, coordinates with their sign, quotes doubled', async () => {
      const lines = (await readCsv(contract, PATH)).text.split('\r\n');
      expect(lines[1]).to.equal(
        'EGLL,"London, ""Heathrow""",GB,51.4775,-0.461389,Europe/London,Cfb,true,LHR Airport|Heathrow,EGLL,LHR',
      );
      expect(lines[2]).to.equal(
        'KMDW,chicago midway,US,41.7842,-87.7553,America/Chicago,Dfa,false,Chicago|KPDX|PWM,KMDW,',
      );
      expect(lines[6]).to.equal(
        `KSEA,'@Seattle,US,47.4447,-122.3144,America/Los_Angeles,Csb,true,northwest,KSEA,SEA`,
      );
      expect(lines[7]).to.equal(
        `VIDP,'=Delhi,IN,28.5665,77.1031,Asia/Kolkata,,true,'-Dilli|São Delhi,VIDP,DEL`,
      );
    });

    it('has a file name that tells what it is', async () => {
      expect((await readCsv(contract, PATH)).fileName).to.include('stations');
    });
  });
});
