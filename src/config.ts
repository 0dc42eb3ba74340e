import { join, resolve } from 'node:path';
import { compile as compileProxies } from 'proxy-addr';
import { z } from 'zod';
import { PROVIDER_FORM } from './statistics/provider.js';
import { UserError } from './lib/user-error.js';
import { splitWords } from './lib/text.js';

/** A setting that cannot be used; the message names the environment variable. */
export class ConfigError extends UserError {}

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a whole number from 0 to 65535')
  .transform(Number)
  .refine((value) => value <= 65535, 'must be a whole number from 0 to 65535');

const limit = z
  .string()
  .regex(/^\d{1,7}$/, 'must be a whole number from 0 (no limit) to 9999999')
  .transform(Number);

/** An origin as a browser writes it: scheme, host and port alone. */
const isOrigin = (text: string): boolean =>
  text === '*' || (/^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text);

const address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

/** An address or CIDR range that Express takes; it alone would read 10.1 as 10.0.0.1, and takes no range of everybody. */
function isProxy(text: string): boolean {
  try {
    compileProxies([text]);
    return address.safeParse(text).success;
  } catch {
    return false;
  }
}

const rows = z
  .string()
  .regex(/^\d{1,10}$/, 'must be a whole number from 0 (no limit) to 9999999999')
  .transform(Number);

const onOrOff = z.enum(['on', 'off'], { error: 'must be on or off' });

const megabytes = (zero: string) =>
  z
    .string()
    .regex(/^\d{1,5}$/, `must be a whole number from 0 (${zero}) to 99999`)
    .transform(Number);

/** Where clients find the service: an origin, and the path below which a proxy has it. */
const publicUrl = z
  .string()
  .refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    return (
      url !== undefined && /^https?:$/.test(url.protocol) && url.origin + url.pathname === withSlash(text)
    );
  }, 'must be an http:// or https:// URL without user, query and fragment')
  .transform((text) => text.replace(/(?<!\/)\/+$/, ''));

/** An origin alone with the path that it has. */
const withSlash = (text: string): string => (/^https?:\/\/[^/]+$/.test(text) ? `${text}/` : text);

/** The proxies that may write X-Forwarded-For, as Express takes them: a number of hops, or addresses. */
const trustProxy = z
  .string()
  .refine(
    (text) => /^\d{1,2}$/.test(text) || (splitWords(text).length > 0 && splitWords(text).every(isProxy)),
    'must be addresses or CIDR ranges of proxies, separated by commas, or a number of hops from 0 (none) to 99',
  )
  .transform((text) => (/^\d+$/.test(text) ? Number(text) : splitWords(text)));

const gapSeconds = z
  .string()
  .regex(/^\d{1,4}(\.\d{1,3})?$/, 'must be seconds from 0 to 9999')
  .transform(Number);

const baseUrl = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' });

const isLoopback = (url: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);

/** The log of a service without a public URL. */
export const DEFAULT_SEAL_ORIGIN = 'forecast-accuracy.invalid';

const environment = z
  .object({
    HOST: z.string().default('127.0.0.1'),
    PORT: port.default(8080),
    DATA_DIR: z.string().default('./data'),
    CLICKHOUSE_URL: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' }).optional(),
    CLICKHOUSE_USER: z.string().default('default'),
    CLICKHOUSE_PASSWORD: z.string().default(''),
    CLICKHOUSE_DATABASE: z
      .string()
      .regex(/^[A-Za-z_]\w{0,62}$/, 'must be letters, digits and underscores, not beginning with a digit')
      .default('forecast_accuracy'),
    CLICKHOUSE_CLUSTER: z
      .string()
      .regex(/^[\w-]{1,63}$/, 'must be letters, digits, underscores and hyphens')
      .optional(),
    API_KEYS_FILE: z.string().optional(),
    LOG_LEVEL: z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
        error: 'must be one of trace, debug, info, warn, error, fatal, silent',
      })
      .default('info'),
    DEFAULT_PROVIDER: z
      .string()
      .regex(PROVIDER_FORM, 'must be lower-case letters, digits and hyphens, at most 32')
      .optional(),
    RATE_LIMIT_PER_MINUTE: limit.default(0),
    ROWS_PER_MINUTE: rows.default(0),
    AUTH_FAILURES_PER_MINUTE: limit.default(30),
    PUBLIC_READ: onOrOff.default('off'),
    PUBLIC_RATE_LIMIT_PER_MINUTE: limit.default(60),
    PUBLIC_ROWS_PER_MINUTE: rows.default(5_000_000),
    EXPORT_FILES_MB: megabytes('no files').default(1024),
    TRUST_PROXY: trustProxy.default(0),
    PUBLIC_URL: publicUrl.optional(),
    QUERY_MEMORY_MB: limit.optional(),
    CORS_ORIGINS: z
      .string()
      .transform(splitWords)
      .refine(
        (origins) => origins.every(isOrigin),
        'must be origins such as https://example.org, separated by commas, or *',
      )
      .default([]),
    SEAL_KEY_FILE: z.string().optional(),
    SEAL_ORIGIN: z
      .string()
      .regex(
        /^[\w.~/-]{1,200}$/,
        'must be a name such as example.org/forecasts, without scheme, spaces and plus signs',
      )
      .optional(),
    MCP: onOrOff.default('on'),
    CACHE_MB: megabytes('no cache').default(64),
    IEM_URL: baseUrl.default('https://mesonet.agron.iastate.edu'),
    IEM_GAP_SECONDS: gapSeconds.default(4),
    NOAA_URL: baseUrl.default('https://noaa-nbm-grib2-pds.s3.amazonaws.com'),
    NOAA_GAP_SECONDS: gapSeconds.default(10),
  })
  .refine((env) => env.CLICKHOUSE_CLUSTER === undefined || env.CLICKHOUSE_URL !== undefined, {
    path: ['CLICKHOUSE_CLUSTER'],
    message: 'needs CLICKHOUSE_URL: the address of one of its servers, or of a proxy in front of them',
  })
  .refine((env) => env.IEM_GAP_SECONDS >= 1 || isLoopback(env.IEM_URL), {
    path: ['IEM_GAP_SECONDS'],
    message: 'must be 1 or more, so that a public host is not flooded',
  })
  .refine((env) => env.NOAA_GAP_SECONDS >= 1 || isLoopback(env.NOAA_URL), {
    path: ['NOAA_GAP_SECONDS'],
    message: 'must be 1 or more, so that a public host is not flooded',
  })
  .transform((env) => ({
    host: env.HOST,
    port: env.PORT,
    dataDir: resolve(env.DATA_DIR),
    clickhouse: {
      url: env.CLICKHOUSE_URL,
      user: env.CLICKHOUSE_USER,
      password: env.CLICKHOUSE_PASSWORD,
      database: env.CLICKHOUSE_DATABASE,
      cluster: env.CLICKHOUSE_CLUSTER,
    },
    apiKeysFile: resolve(env.API_KEYS_FILE ?? join(env.DATA_DIR, 'api-keys.json')),
    logLevel: env.LOG_LEVEL,
    defaultProvider: env.DEFAULT_PROVIDER,
    rateLimitPerMinute: env.RATE_LIMIT_PER_MINUTE,
    rowsPerMinute: env.ROWS_PER_MINUTE,
    authFailuresPerMinute: env.AUTH_FAILURES_PER_MINUTE,
    /** The limits of an address without a key; undefined where every request needs one. */
    publicRead:
      env.PUBLIC_READ === 'off'
        ? undefined
        : {
            rateLimitPerMinute: env.PUBLIC_RATE_LIMIT_PER_MINUTE,
            rowsPerMinute: env.PUBLIC_ROWS_PER_MINUTE,
          },
    trustProxy: env.TRUST_PROXY,
    publicUrl: env.PUBLIC_URL,
    /** Without one, what the store takes for this machine. */
    queryMemoryBytes: env.QUERY_MEMORY_MB === undefined ? undefined : env.QUERY_MEMORY_MB * 1024 * 1024,
    corsOrigins: env.CORS_ORIGINS,
    seals: {
      keyFile: env.SEAL_KEY_FILE === undefined ? undefined : resolve(env.SEAL_KEY_FILE),
      origin: env.SEAL_ORIGIN ?? env.PUBLIC_URL?.replace(/^https?:\/\//, '') ?? DEFAULT_SEAL_ORIGIN,
    },
    mcp: env.MCP === 'on',
    cacheBytes: env.CACHE_MB * 1024 * 1024,
    exportFiles: {
      folder: resolve(env.DATA_DIR, 'exports'),
      maxBytes: env.EXPORT_FILES_MB * 1024 * 1024,
    },
    /** The public hosts that the collector asks, and the least time between the starts of two requests. */
    iem: { url: env.IEM_URL, gap_ms: env.IEM_GAP_SECONDS * 1000 },
    noaa: { url: env.NOAA_URL, gap_ms: env.NOAA_GAP_SECONDS * 1000 },
  }));

export type Config = z.infer<typeof environment>;

/** The names of all settings. */
export const SETTINGS: readonly string[] = Object.keys(environment.in.shape);

/**
 * The settings, read once from the environment; a blank variable counts as unset.
 * @throws ConfigError naming the first variable that cannot be used; it never repeats a value, which may be secret
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  if (parsed.success) return parsed.data;
  const failure = parsed.error.issues[0];
  throw new ConfigError(`${String(failure?.path[0])}: ${failure?.message}`);
}
