import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parseSourceFile, type SourceFile } from '../../../src/collect/files/source-file.js';
import { writeSourceSchema } from '../../../scripts/source-schema/write.js';
import { UserError } from '../../../src/lib/user-error.js';

const FILE = `name: own
attribution: My garden
kind: hours
url: https://api.example.org/v1?lat={latitude}&lon={longitude}
rows: readings
columns:
  at: time
  temp_c: temperature
`;

/** The message of a file with texts replaced; blank if it is good. */
function errorOf(...changes: [from: string | RegExp, to: string][]): string {
  try {
    parseSourceFile(
      changes.reduce((text, [from, to]) => text.replace(from, () => to), FILE),
      'own.yaml',
    );
    return '';
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

describe('a source file', () => {
  it('has a published schema that is current', () =>
    expect(readFileSync('sources/source.schema.json', 'utf8')).to.equal(writeSourceSchema()));

  it('given ten lines, then it is a source with the defaults of the rest', () => {
    const file: SourceFile = parseSourceFile(FILE, 'own.yaml');
    expect(file).to.include({ format: 'json', places: 1, schedule: '10 * * * *', gap: 1000, local: false });
  });

  // Each guards one rule of the file: its line, its field, and the way out stand in the message.
  for (const [title, change, message] of [
    [
      'an unknown column',
      [/temp_c:/, 'temp:'],
      'own.yaml:8: columns.temp: unknown column of hours; is it temp_f?',
    ],
    ['an unknown field', ['rows:', 'row:'], 'own.yaml:5: row: unknown field'],
    ['no attribution', ['attribution: My garden\n', ''], 'own.yaml:1: attribution: is missing'],
    ['no time of a row', ['  at: time\n', ''], 'own.yaml:6: columns.at: is missing: hours have it'],
    [
      'a time that is of another feed',
      ['  at:', '  issued_at: x\n  at:'],
      'own.yaml:7: columns.issued_at: unknown column of hours',
    ],
    [
      'a column of the collector',
      ['  at:', '  station_id: x\n  at:'],
      'own.yaml:7: columns.station_id: is filled in by the collector',
    ],
    [
      'no JSONata',
      ['temperature', 'temperature +'],
      'own.yaml:8: columns.temp_c: not JSONata: Unexpected end of expression',
    ],
    [
      'an expression that nests too deep',
      ['temperature', '('.repeat(7000)],
      'own.yaml:8: columns.temp_c: not JSONata: ',
    ],
    ['no URL', ['https://', ''], 'own.yaml:4: url: must be a URL'],
    [
      'a host from a placeholder',
      ['api.example.org', '{station_id}.example.org'],
      'own.yaml:4: url: must be a URL',
    ],
    ['a user in its URL', ['https://', 'https://user@'], 'own.yaml:4: url: must be a URL'],
    ['no TLS', ['https:', 'http:'], 'own.yaml:4: url: must be https, or give local: true'],
    ['an unknown placeholder', ['{latitude}', '{lat}'], 'own.yaml:4: url: unknown placeholder {lat}'],
    [
      'a key with small letters',
      ['{latitude}', '{key:own}'],
      'own.yaml:4: url: unknown placeholder {key:own}',
    ],
    [
      'a first request to another host',
      ['lon={longitude}', 'lon={first}\nfirst: { url: https://evil.example, value: a }'],
      'own.yaml:5: first: must be at https://api.example.org',
    ],
    ['{run} without runs', ['{latitude}', '{run}'], 'own.yaml:4: url: {run} and runs need each other'],
    ['a kind that there is not', ['kind: hours', 'kind: hour'], 'own.yaml:3: kind: Invalid option'],
    ['no zone', ['rows:', 'zone: Mars/Olympus\nrows:'], 'own.yaml:5: zone: must be an IANA zone'],
    ['no cron', ['rows:', 'schedule: hourly\nrows:'], 'own.yaml:5: schedule: must be cron'],
    [
      'requests without a pause',
      ['rows:', 'gap: 0 seconds\nrows:'],
      'own.yaml:5: gap: must be 1 second or more',
    ],
    [
      'no duration',
      ['rows:', 'interval: soon\nrows:'],
      'own.yaml:5: interval: must be a duration, such as 6 hours',
    ],
    [
      'days of days',
      [
        /kind: hours[^]*/,
        'kind: observations\nurl: https://a.org\ncolumns: { date: d, high_c: h }\ndays:\n  high_c: { max: t }\n',
      ],
      'own.yaml:6: days: are made of hours alone',
    ],
    [
      'a day of two values',
      [/$/, 'days:\n  high_c: { max: temperature, min: temperature }\n'],
      'own.yaml:10: days.high_c: must have one of max, min and sum',
    ],
    [
      'several places without each',
      ['rows:', 'places: 9\nrows:'],
      'own.yaml:5: places: more than one need each, and no first',
    ],
    [
      'a key that is no plain name',
      ['rows:', '__proto__: { a: 1 }\nrows:'],
      'own.yaml:5: a key must be a plain name',
    ],
    ['an alias', ['temperature', '*a'], 'own.yaml:8: '],
    ['a tag', ['My garden', '!!js/regexp /x/'], 'own.yaml:2: not YAML: Unresolved tag'],
    ['a second document', [/$/, '---\nname: other\n'], 'own.yaml:9: not YAML: '],
    ['YAML 1.1 with a merge', [/^/, '%YAML 1.1\n---\n<<: { name: x }\n'], 'own.yaml:3: a key must be'],
    ['a name of two lines', ['My garden', '"My\\ngarden"'], 'own.yaml:2: attribution: must be one line'],
    ['terms that are a script', ['rows:', 'terms: javascript:alert(1)\nrows:'], 'own.yaml:5: terms: '],
    [
      'a backslash behind a host, which ends it',
      ['https://', 'https://evil.example\\.'],
      'own.yaml:4: url: must be a URL',
    ],
    [
      'a header with a line break',
      ['rows:', 'headers: { A: "b\\r\\nHost: evil.example" }\nrows:'],
      'own.yaml:5: headers.A: must be visible ASCII characters',
    ],
    [
      'a header of the collector',
      ['rows:', 'headers: { User-Agent: Mozilla }\nrows:'],
      'own.yaml:5: headers.User-Agent: is set by the collector',
    ],
    [
      'a header with a placeholder that is not filled in',
      ['rows:', 'headers: { A: "{key:own}" }\nrows:'],
      'own.yaml:5: headers.A: must have no placeholder but {key:NAME}',
    ],
    [
      'a reason of two lines',
      ['rows:', 'checks: { "a\\nb": "true" }\nrows:'],
      'own.yaml:5: checks.a b: Invalid key in record',
    ],
    ['spans of no length', ['rows:', 'span: 0 days\nrows:'], 'own.yaml:5: span: must be 1 hour or more'],
    [
      'runs that are no time apart',
      ['rows:', 'runs: { every: 0 hours, out: 1 hour }\nrows:'],
      'own.yaml:5: runs.every: must be 1 hour or more',
    ],
    [
      'a pass in each second',
      ['rows:', "schedule: '* * * * * *'\nrows:"],
      'own.yaml:5: schedule: must be cron',
    ],
    ['one pass alone', ['rows:', 'schedule: 2099-01-01T00:00\nrows:'], 'own.yaml:5: schedule: must be cron'],
    ['no YAML', ['rows:', 'rows: [\nx:'], 'own.yaml:6: not YAML: '],
    ['a list', [/[^]*/, '- a\n'], 'own.yaml:1: the file: '],
    ['nothing', [/[^]*/, ''], 'own.yaml:1: the file: '],
    ['a megabyte', [/$/, `# ${'x'.repeat(1e6)}`], 'own.yaml:1: must have at most 65536 characters'],
  ] as const)
    it(`given ${title}, then the message names line and field`, () => {
      const told = errorOf(change as unknown as [string, string]);
      expect(told.slice(0, message.length)).to.equal(message);
      expect(told).not.to.include('\n');
    });
});
