import { z } from 'zod';
import type { AsOf } from '../../stations/versions.js';
import { sql } from '../../queries/sql.js';
import type { DownloadSources } from '../endpoint.js';
import { behindLast, cursor, cursorText, type RowPlace, getPlace, versionAt } from '../cursor.js';
import { defineGroup } from '../groups.js';
import { integer } from '../parameters.js';

// Rows that come in pages: all pages are of one version of the data, and each says where the next one begins.

/** The most rows of a page. */
const MAX_LIMIT = 50_000;

/** The header that says where the next page begins, in every format; absent on the last one. */
const NEXT_CURSOR_HEADER = 'X-Next-Cursor';

/** The rows that a request names: so many from a place on. */
export interface RowPage extends RowPlace {
  limit: number;
  /** The timeline of the data. */
  timeline: string;
}

/** `limit` and `cursor`. @param fallback the rows of a page whose request names no limit */
export function page(fallback: number) {
  return defineGroup({
    parameters: {
      limit: integer(
        1,
        MAX_LIMIT,
        fallback,
        'Maximum number of rows; metadata.truncated says whether there are more',
      ),
      cursor: cursor.parameters.cursor.meta({
        description: 'Where the page begins: metadata.next_cursor of the previous page',
      }),
    },
    read:
      ({ limit, cursor }) =>
      ({ directory }): RowPage => ({ limit, timeline: directory.timeline, ...getPlace(cursor, directory) }),
    cacheKey: ({ limit, skip, version }: RowPage) => [limit, skip, version ?? null],
  });
}

export const PAGE_METADATA = {
  truncated: z.boolean().meta({ description: 'Whether there are more rows than limit' }),
  next_cursor: z
    .string()
    .nullable()
    .meta({ description: '`cursor` of the next page; null on the last one', example: '412-k7q2.1000' }),
};

/**
 * The latest version of the data that is final: the last load that has finished. A load that is running, killed or failed
 * may have written only some of its rows; they belong to the version of the load that completes it.
 */
export async function latestVersion({ query }: Pick<DownloadSources, 'query'>): Promise<number> {
  const [latest] = await query(
    sql.rows(
      z.object({ version: z.number() }),
    )`SELECT max(load_id) AS version FROM loads WHERE event = 'finished'`,
  );
  return latest?.version ?? 0;
}

/** The version of the rows of a page. @throws InvalidParamsError as versionAt() does */
export const getVersion = (
  page: RowPage,
  asOf: Pick<AsOf, 'version'> | undefined,
  query: DownloadSources['query'],
): Promise<number> => versionAt(page, asOf, () => latestVersion({ query }));

/**
 * The page of a response: its rows, metadata and headers.
 * @param rows the rows after `skip`, at least one more than `limit` if there are as many.
 * @throws InvalidParamsError when the page begins behind the last row
 */
export function makePage<Row>(rows: readonly Row[], page: RowPage, version: number) {
  const { limit, skip } = page;
  if (rows.length === 0 && skip > 0) throw behindLast('row');
  const next_cursor = rows.length > limit ? cursorText(version, page, skip + limit) : null;
  const headers: Record<string, string> = next_cursor === null ? {} : { [NEXT_CURSOR_HEADER]: next_cursor };
  return {
    rows: rows.slice(0, limit),
    metadata: { truncated: next_cursor !== null, next_cursor },
    headers,
  };
}
