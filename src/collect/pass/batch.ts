import { appendFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { type FeedName, getColumns } from '../../feeds/feeds.js';
import { getPresentColumns } from '../../feeds/file-columns.js';
import type { Collected, LoadReport } from '../../ingest/load-report.js';
import type { FeedLine } from '../source.js';

// Rows on their way from responses to a load: in files, as a year of many stations does not fit into memory.

/** The provider that should be the default: the official one, else the guidance for it. */
const DEFAULT_PROVIDERS = ['nws', 'nbm'];

/** The files of each feed. */
export type RowFiles = Record<FeedName, string[]>;

/** Loads files of feeds, as the command `load` does. */
export type LoadRows = (files: RowFiles, collected: Collected) => Promise<LoadReport>;

/** Rows that one load takes. */
export class Batch {
  readonly files: RowFiles = {
    stations: [],
    forecasts: [],
    observations: [],
    normals: [],
    hours: [],
    hourly_forecasts: [],
  };
  rows = 0;
  /** The header of each file: sources have different columns, and units. */
  readonly #headers = new Map<string, number>();

  private constructor(private readonly folder: string) {}

  /** @param folder of this batch alone; what is in it goes */
  static async begin(folder: string): Promise<Batch> {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    return new Batch(folder);
  }

  /** @param provider of forecasts, which have a file each: the default is that of the first row of the first load (D27) */
  async add(feed: FeedName, lines: readonly FeedLine[], provider = ''): Promise<void> {
    if (lines.length === 0) return;
    const rank = DEFAULT_PROVIDERS.indexOf(provider);
    const names = Object.keys(lines[0] ?? {});
    const columns = getPresentColumns(getColumns(feed), names).map(({ name }) => name);
    const number = this.#headers.get(columns.join()) ?? this.#headers.size;
    this.#headers.set(columns.join(), number);
    const place = `${rank < 0 ? DEFAULT_PROVIDERS.length : rank}-${provider}-${number}`;
    const file = join(this.folder, `${feed}-${place}.csv`);
    const header = !this.files[feed].includes(file);
    if (header) this.files[feed] = [...this.files[feed], file].sort();
    this.rows += lines.length;
    await appendFile(file, stringify([...lines], { header, columns }));
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
