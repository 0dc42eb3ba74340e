import { isAbsolute, join, resolve } from 'node:path';
import { expect } from 'chai';
import express from 'express';
import fc from 'fast-check';
import { type Config, ConfigError, readConfig } from '../../../src/config.js';
import { refusalOf } from '../../support/refusal.js';
import { forAny } from '../../support/property.js';

/** The message about settings that cannot be used. */
const fault = (env: NodeJS.ProcessEnv): string => refusalOf(ConfigError, () => readConfig(env));

describe('readConfig', () => {
  const DEFAULTS: Config = {
    host: '127.0.0.1',
    port: 8080,
    dataDir: resolve('data'),
    clickhouse: {
      url: undefined,
      user: 'default',
      password: '',
      database: 'forecast_accuracy',
      cluster: undefined,
    },
    apiKeysFile: resolve('data', 'api-keys.json'),
    logLevel: 'info',
    defaultProvider: undefined,
    rateLimitPerMinute: 0,
    rowsPerMinute: 0,
    publicUrl: undefined,
    authFailuresPerMinute: 30,
    publicRead: undefined,
    exportFiles: { folder: resolve('data', 'exports'), maxBytes: 1024 * 1024 * 1024 },
    trustProxy: 0,
    queryMemoryBytes: undefined,
    corsOrigins: [],
    mcp: true,
    seals: { keyFile: undefined, origin: 'forecast-accuracy.invalid' },
    cacheBytes: 64 * 1024 * 1024,
    iem: { url: 'https://mesonet.agron.iastate.edu', gap_ms: 4000 },
    noaa: { url: 'https://noaa-nbm-grib2-pds.s3.amazonaws.com', gap_ms: 10_000 },
  };
  /** Every variable, with a value of its own. */
  const EVERY = {
    HOST: '0.0.0.0',
    PORT: '9000',
    DATA_DIR: 'some/where',
    CLICKHOUSE_URL: 'https://clickhouse.example:8443',
    CLICKHOUSE_USER: 'reader',
    CLICKHOUSE_PASSWORD: 'p@ss word',
    CLICKHOUSE_DATABASE: '_Accuracy_2',
    CLICKHOUSE_CLUSTER: 'two-shards',
    API_KEYS_FILE: 'keys/mine.json',
    LOG_LEVEL: 'silent',
    DEFAULT_PROVIDER: 'nws-2',
    RATE_LIMIT_PER_MINUTE: '600',
    AUTH_FAILURES_PER_MINUTE: '0',
    PUBLIC_READ: 'on',
    PUBLIC_RATE_LIMIT_PER_MINUTE: '7',
    PUBLIC_ROWS_PER_MINUTE: '0',
    EXPORT_FILES_MB: '5',
    TRUST_PROXY: '10.0.0.0/8, ::1',
    ROWS_PER_MINUTE: '5000000000',
    PUBLIC_URL: 'https://example.org:8443/weather/accuracy/',
    QUERY_MEMORY_MB: '512',
    CACHE_MB: '256',
    CORS_ORIGINS: 'https://one.example, http://localhost:3000',
    IEM_URL: 'http://127.0.0.1:9999',
    IEM_GAP_SECONDS: '0.05',
    NOAA_URL: 'http://127.0.0.1:9998',
    NOAA_GAP_SECONDS: '0.5',
    SEAL_KEY_FILE: 'keys/seal.pem',
    SEAL_ORIGIN: 'example.org/accuracy',
    MCP: 'off',
  };

  const LEVELS = 'trace debug info warn error fatal silent'.split(' ');

  it("given an empty environment, blanks, or other programs' variables, then every setting has its default", () => {
    const blank = Object.fromEntries(Object.keys(EVERY).map((name) => [name, '']));
    for (const env of [{}, blank, { PATH: '/bin', CLICKHOUSE_HOST: 'x', port: '1' }])
      expect(readConfig(env)).to.deep.equal(DEFAULTS);
  });

  it('given every variable, then each is taken', () => {
    expect(readConfig(EVERY)).to.deep.equal({
      host: '0.0.0.0',
      port: 9000,
      dataDir: resolve('some/where'),
      clickhouse: {
        url: 'https://clickhouse.example:8443',
        user: 'reader',
        password: 'p@ss word',
        database: '_Accuracy_2',
        cluster: 'two-shards',
      },
      apiKeysFile: resolve('keys/mine.json'),
      logLevel: 'silent',
      defaultProvider: 'nws-2',
      rateLimitPerMinute: 600,
      authFailuresPerMinute: 0,
      publicRead: { rateLimitPerMinute: 7, rowsPerMinute: 0 },
      exportFiles: { folder: resolve('some/where/exports'), maxBytes: 5_242_880 },
      trustProxy: ['10.0.0.0/8', '::1'],
      rowsPerMinute: 5_000_000_000,
      publicUrl: 'https://example.org:8443/weather/accuracy',
      queryMemoryBytes: 536_870_912,
      corsOrigins: ['https://one.example', 'http://localhost:3000'],
      mcp: false,
      seals: { keyFile: resolve('keys/seal.pem'), origin: 'example.org/accuracy' },
      cacheBytes: 268_435_456,
      iem: { url: 'http://127.0.0.1:9999', gap_ms: 50 },
      noaa: { url: 'http://127.0.0.1:9998', gap_ms: 500 },
    } satisfies Config);
  });

  it('given DATA_DIR alone, then the keys file lies in it, and both are absolute', () => {
    const { dataDir, apiKeysFile } = readConfig({ DATA_DIR: 'elsewhere' });
    expect(isAbsolute(dataDir)).to.be.true;
    expect(apiKeysFile).to.equal(join(dataDir, 'api-keys.json'));
  });

  for (const [variable, values, taken] of [
    ['LOG_LEVEL', LEVELS, (config) => config.logLevel],
    ['CACHE_MB', [0], (config) => config.cacheBytes],
    ['PORT', [0, 65_535], (config) => config.port],
    ['TRUST_PROXY', [2], (config) => config.trustProxy], // hops
  ] as [string, (string | number)[], (config: Config) => unknown][]) {
    it(`given ${variable}=${values.join()}, then it is taken`, () => {
      for (const value of values) expect(taken(readConfig({ [variable]: `${value}` }))).to.equal(value);
    });
  }

  it('given any TRUST_PROXY that is taken, then Express takes it, too', () => {
    const text = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.nat(130).map(String),
      fc.tuple(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(130)).map(([ip, bits]) => `${ip}/${bits}`),
      fc.string({ maxLength: 20 }),
    );
    forAny(fc.array(text, { minLength: 1, maxLength: 3 }), (given) => {
      let taken: number | string[];
      try {
        taken = readConfig({ TRUST_PROXY: given.join(',') }).trustProxy;
      } catch {
        return;
      }
      expect(() => express().set('trust proxy', taken)).not.to.throw();
    });
  });

  const NO_URL = 'must be an http:// or https:// URL';
  const NO_NUMBER = ['-1', '1.5', 'none', '1e3'];
  const NO_LIMIT = 'must be a whole number from 0 (no limit) to 9999999';
  const FAULTS: [variable: keyof typeof EVERY, said: string, values: string[]][] = [
    [
      'PORT',
      'must be a whole number from 0 to 65535',
      ['65536', '-1', '80.5', '1e3', '0x50', ' 80', '80 ', '٨٠'],
    ],
    [
      'CLICKHOUSE_URL',
      NO_URL,
      ['localhost:8123', 'tcp://localhost:9000', 'clickhouse', 'http://', '//x:8123'],
    ],
    [
      'CLICKHOUSE_DATABASE',
      'must be letters, digits and underscores',
      ['1st', 'a-b', 'a.b', 'a;DROP DATABASE x', 'a`b', 'x'.repeat(64), 'größe', ' '],
    ],
    [
      'CLICKHOUSE_CLUSTER',
      'must be letters, digits, underscores and hyphens',
      ['a b', 'a.b', "a'b", 'x'.repeat(64)],
    ],
    ['CLICKHOUSE_CLUSTER', 'needs CLICKHOUSE_URL', ['alone']],
    ['LOG_LEVEL', `must be one of ${LEVELS.join(', ')}`, ['verbose', 'INFO', '30']],
    ['RATE_LIMIT_PER_MINUTE', NO_LIMIT, [...NO_NUMBER, '10000000']],
    ['AUTH_FAILURES_PER_MINUTE', NO_LIMIT, [...NO_NUMBER, '10000000']],
    ['QUERY_MEMORY_MB', NO_LIMIT, [...NO_NUMBER, '10000000']],
    ['ROWS_PER_MINUTE', 'must be a whole number from 0 (no limit) to 9999999999', ['1e6']],
    ['CACHE_MB', 'must be a whole number from 0 (no cache) to 99999', ['-1', '1.5', '100000', '64MB', ' 1']],
    [
      'CORS_ORIGINS',
      'must be origins such as https://example.org',
      'one.example https://one.example/ https://one.example/path https://One.example ** null https://a.example,b'.split(
        ' ',
      ),
    ],
    [
      'TRUST_PROXY',
      'must be addresses or CIDR ranges of proxies, separated by commas, or a number of hops',
      ['-1', '100', 'true', 'proxy.example', '10.0.0.1/0', '10.0.0.0/33', '1.2.3', '::/0', '::1, x', ','],
    ],
    ['IEM_URL', NO_URL, ['mesonet.agron.iastate.edu']],
    ['IEM_GAP_SECONDS', 'must be seconds from 0 to 9999', ['-1']],
    ['IEM_GAP_SECONDS', 'must be 1 or more, so that a public host is not flooded', ['0.9']],
    ['NOAA_URL', NO_URL, ['noaa-nbm-grib2-pds.s3.amazonaws.com']],
    ['NOAA_GAP_SECONDS', 'must be seconds from 0 to 9999', ['-1']],
    ['NOAA_GAP_SECONDS', 'must be 1 or more, so that a public host is not flooded', ['0.9']],
    ['MCP', 'must be on or off', ['yes']],
    ['PUBLIC_READ', 'must be on or off', ['true', 'ON']],
    ['PUBLIC_RATE_LIMIT_PER_MINUTE', NO_LIMIT, NO_NUMBER],
    ['PUBLIC_ROWS_PER_MINUTE', 'must be a whole number from 0 (no limit) to 9999999999', ['1e6']],
    ['EXPORT_FILES_MB', 'must be a whole number from 0 (no files) to 99999', ['-1', '100000']],
    [
      'PUBLIC_URL',
      NO_URL,
      'a.org ftp://a.org https://a.org/?a https://u@a.org https://a.org/a/../b'.split(' '),
    ],
  ];
  for (const [variable, said, values] of FAULTS) {
    it(`given ${variable} that cannot be, then it is refused by name: ${said}`, () => {
      for (const value of values)
        expect(fault({ [variable]: value }), value)
          .to.match(new RegExp(`^${variable}: `))
          .and.to.contain(said);
    });
  }

  const LOOPBACK = 'localhost:9000 LOCALHOST 127.0.0.1 127.1.2.3:80 127.1 [::1]:8080';
  const PUBLIC =
    '127.example.org 127.0.0.1.example.org localhost.example.org localhosted.example notlocalhost 128.0.0.1 [::1:1] 127.0.0.1@example.org';
  for (const name of ['IEM', 'NOAA']) {
    it(`given hosts of ${name}, then those of this machine may be asked without a gap, and no others`, () => {
      const said = (host: string): string =>
        fault({ [`${name}_URL`]: `http://${host}`, [`${name}_GAP_SECONDS`]: '0' });
      for (const host of LOOPBACK.split(' ')) expect(said(host), host).to.equal('');
      for (const host of PUBLIC.split(' '))
        expect(said(host), host).to.match(new RegExp(`^${name}_GAP_SECONDS: must be 1 or more`));
    });
  }

  it('given a fault of any variable, then it is one line that does not repeat the value', () => {
    forAny(
      fc.constantFrom(...FAULTS.map(([variable]) => variable)),
      fc.string({ minLength: 1, maxLength: 30 }),
      (variable, noise) => {
        const message = fault({ [variable]: `s3cret-${noise}\n`, CLICKHOUSE_PASSWORD: 'hunter2' });
        expect(message).to.match(new RegExp(`^${variable}: [^\\n]+$`));
        expect(message).not.to.contain('s3cret');
        expect(message).not.to.contain('hunter2');
      },
    );
  });

  it('given a URL with a password that cannot be used, then the password is not repeated', () => {
    expect(fault({ CLICKHOUSE_URL: 'tcp://default:hunter2@localhost:9000' })).not.to.contain('hunter2');
  });
});
