import { expect } from 'chai';
import { parseSourceFile } from '../../../src/collect/files/source-file.js';
import { toSource } from '../../../src/collect/files/file-source.js';
import { KNYC } from '../../support/collect/world.js';
import { allowSlowExpressions } from '../../support/collect/reading.js';

// A made service with all that makes others hard: XML, a key in a header, °F, a mark for no value, a local time of issuance. Its file was
// written with docs/sources.md alone.

const FILE = `name: hillside
attribution: Hillside Weather, https://hillside.example (CC BY 4.0)
kind: forecasts
url: https://api.hillside.example/v3/outlook?at={latitude},{longitude}
headers: { X-Api-Key: "{key:HILLSIDE_KEY}" }
schedule: 5 */6 * * *
format: xml
zone: station
missing: ["--"]
rows: outlook.day
columns:
  issued_at: $answer.outlook._issued
  target_date: _date
  high_f: max.text
  low_f: min.text
`;

const RESPONSE = `<?xml version="1.0"?>
<outlook issued="2026-11-22 06:00">
  <day date="2026-11-22"><max unit="F">51.5</max><min unit="F">--</min></day>
  <day date="2026-11-23"><max unit="F">47</max><min unit="F">33</min></day>
</outlook>
`;

describe('a source file that was written by the documentation alone', () => {
  allowSlowExpressions();

  const requested_ms = Date.parse('2026-11-22T12:00Z');
  const covers = [{ place: KNYC, span: { from_ms: requested_ms - 1, to_ms: requested_ms } }];
  const source = toSource(parseSourceFile(FILE, 'hillside.yaml'));

  it('given a service with XML, keys and local times, then 15 lines are enough', () => {
    expect(FILE.trimEnd().split('\n').length).to.be.at.most(15);
  });

  it('given its response, then its rows in UTC and °F', async () => {
    const [request] = source.plan(covers, requested_ms);
    expect(request?.paths).to.deep.equal(['/v3/outlook?at=40.779,-73.9693']);
    const { rows } = await source.read([RESPONSE], request!);
    const shared = { station_id: 'KNYC', issued_at: '2026-11-22T11:00:00.000Z', provider: 'hillside' };
    expect(rows).to.deep.equal([
      { ...shared, target_date: '2026-11-22', high_f: '51.5', low_f: '' },
      { ...shared, target_date: '2026-11-23', high_f: '47', low_f: '33' },
    ]);
  });
});
