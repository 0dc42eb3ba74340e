import { UserError } from '../lib/user-error.js';
import type { CopyFolder } from './copy-folder.js';
import type { Ask } from './local-service.js';

export type Parameters = Record<string, string>;

/** The page's own words for what it asks (D69): public/dashboard/asks.ts, as it is bundled. */
export interface PageAsks {
  escapeName: (text: string) => string;
  fileOf: (path: string, given: Parameters) => string;
  askForView: (view: Parameters, load: Pick<ResponseFiles, 'get'>) => Promise<void>;
}

/** The body of a response; the list of stations has no metadata. */
interface Body {
  data: Record<string, unknown>[];
  error?: { code: string; message: string; details?: { parameter: string; message: string }[] };
  metadata?: Record<'timeline' | 'provider' | 'period_start' | 'period_end', string> & {
    data_version: number;
  };
}

/** Parsed responses at hand: a view asks for some of them several times, and views share others. */
const MAX_PARSED = 200;

/** Errors that are what a view shows, such as that of a variable without probabilities. */
const SHOWN_ERRORS = [400, 404, 422];

export const toQuery = (given: Parameters): string =>
  new URLSearchParams(Object.entries(given).filter(([, value]) => value !== '')).toString();

/** The options whose values are parameters of a summary. */
const OPTIONS: Record<string, string> = { metric: '--metrics', days: '--days', units: '--units' };

/** The error of a summary in the words of the options. */
function describeOptions({ message, details = [] }: NonNullable<Body['error']>): string {
  const issues = details.map(
    // The dates that the API offers for a longer window are no options.
    ({ parameter, message: issue }) =>
      `${OPTIONS[parameter] ?? parameter}: ${issue.replace(/; use date_from .*/, '')}`,
  );
  return issues.length === 0 ? `accuracy/summary: ${message}` : issues.join('; ');
}

/** The responses of a copy: each is asked for once, and again if its version is not that of the others. */
export class ResponseFiles {
  /** The version of each file, or one that it is not older than. */
  readonly #versions = new Map<string, number>();
  readonly #written = new Map<string, Promise<void>>();
  readonly #parsed = new Map<string, Promise<Body>>();
  /** The summaries of views by their files, each with its parameters. */
  readonly summaries = new Map<string, Parameters>();
  /** The latest version of the data. */
  version = 0;
  timeline = '';
  #failure: Error | undefined;

  constructor(
    private readonly ask: Ask,
    private readonly page: PageAsks,
    private readonly folder: CopyFolder,
    private readonly options: { maxFiles: number; signal?: AbortSignal },
  ) {}

  /** A response as the page gets it. @throws Error for an error of the service */
  readonly get = async (path: string, given: Parameters = {}): Promise<Body> => {
    const file = this.page.fileOf(path, given);
    const name = `responses/${file}`;
    if (path === 'accuracy/summary' && !given.date_from) this.summaries.set(file, given);
    await this.write(name, `${path}?${toQuery(given)}`);
    if (this.#parsed.size > MAX_PARSED) this.#parsed.clear();
    const read = this.#parsed.get(name) ?? this.folder.read(name).then((body) => JSON.parse(body) as Body);
    this.#parsed.set(name, read);
    const { error, ...body } = await read;
    const version = body.metadata?.data_version;
    if (version !== undefined) this.#versions.set(name, version);
    this.version = Math.max(this.version, version ?? 0);
    if (error === undefined) return body;
    // Without its summary no view is worth a copy: an option has a wrong value.
    if (path === 'accuracy/summary') this.#failure ??= new UserError(describeOptions(error));
    throw Object.assign(new Error(error.message), { code: error.code });
  };

  /** Writes a response unless that has been done. @param change makes the file of the response */
  write(name: string, path: string, change?: (text: string) => string): Promise<void> {
    const written = this.#written.get(name) ?? this.#copy(name, path, change);
    this.#written.set(name, written);
    written.catch((error: unknown) => (this.#failure ??= error as Error));
    return written;
  }

  /** Panels go on without a response; a copy does not. */
  throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #copy(name: string, path: string, change?: (text: string) => string): Promise<void> {
    const { folder } = this;
    const { signal, maxFiles } = this.options;
    signal?.throwIfAborted();
    if (folder.size >= maxFiles)
      throw new UserError(
        `this copy has more than ${maxFiles} files; name fewer --stations or --days, or more with --max-files`,
      );
    this.#versions.set(name, this.version);
    const { status, etag, body } = await this.ask(`/api/v1/${path}`, folder.etagOf(name));
    if (status === 304) await folder.keep(name);
    else if (status === 200) await folder.write(name, change?.(body.toString()) ?? body, etag);
    else if (SHOWN_ERRORS.includes(status)) {
      // Its time and the id of its request differ each time.
      const { error } = JSON.parse(body.toString()) as Body;
      await folder.write(name, JSON.stringify({ success: false, error }));
    } else throw new UserError(`${path}: the service answered with status ${status}; see its error above`);
  }

  /** Whether all files are of one version; those of older ones will be asked for again. */
  async areOfOneVersion(): Promise<boolean> {
    // Files without a version do not say that the data have changed.
    const { body } = await this.ask('/api/v1/accuracy/summary?days=1');
    const { data_version, timeline } = (JSON.parse(body.toString()) as Required<Body>).metadata;
    this.version = Math.max(this.version, data_version);
    this.timeline = timeline;
    const late = [...this.#versions].filter(([, version]) => version < this.version);
    for (const [name] of late)
      for (const map of [this.#versions, this.#written, this.#parsed]) map.delete(name);
    return late.length === 0;
  }
}
