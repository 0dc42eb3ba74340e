import { z } from 'zod';
import type { Directory } from '../stations/directory.js';
import type { AsOf } from '../stations/versions.js';
import { defineGroup } from './groups.js';
import { InvalidParamsError } from './parameters.js';

/** Where rows begin: behind the first `skip` of a version of the data; of the latest, where it names none. */
export interface RowPlace {
  version: number | undefined;
  skip: number;
}

const FORM = /^(\d{1,9})(?:-([a-z0-9]{4}))?\.(\d{1,12})$/;

/** A version and the timeline that it is of (D49), and the rows that the client has. */
export const cursor = defineGroup({
  parameters: {
    cursor: z
      .string()
      .regex(FORM, 'must be a version and a number of rows, such as 412-k7q2.150000')
      .optional()
      .meta({
        description:
          'Resumes a download: its X-Export-Cursor, with the number of received rows added to the number after the dot. ' +
          'Unchanged, it requests the same version of the data again',
        example: '412-k7q2.150000',
      }),
  },
  read:
    ({ cursor }) =>
    ({ directory }): RowPlace =>
      getPlace(cursor, directory),
  cacheKey: () => undefined, // the tag names the version and the rows themselves
});

/**
 * The place that a cursor names. One without a timeline was given before there were any.
 * @throws InvalidParamsError when it is of another timeline than the data
 */
export function getPlace(
  cursor: string | undefined,
  { timeline: own }: Pick<Directory, 'timeline'>,
): RowPlace {
  const [, version, timeline = own, skip = 0] = FORM.exec(cursor ?? '') ?? [];
  if (timeline !== own) {
    throw cursorIssue(
      `names timeline ${timeline}, but the data have timeline ${own}; leave it out to start again`,
    );
  }
  return { version: version === undefined ? undefined : Number(version), skip: Number(skip) };
}

export const cursorText = (
  version: number,
  { timeline }: Pick<Directory, 'timeline'>,
  skip: number,
): string => `${version}-${timeline}.${skip}`;

/**
 * The version of the rows at a place.
 * @param asOf the version that the request names beside it.
 * @param latest the latest version that is final.
 * @throws InvalidParamsError when the version does not exist yet, or is not that of asOf
 */
export async function versionAt(
  { version }: RowPlace,
  asOf: Pick<AsOf, 'version'> | undefined,
  latest: () => Promise<number>,
): Promise<number> {
  if (version !== undefined && asOf !== undefined && version !== asOf.version) {
    throw cursorIssue(`names version ${version}, but as_of names ${asOf.version}; give one of them`);
  }
  if (asOf !== undefined) return asOf.version;
  const last = await latest();
  if (version !== undefined && version > last) {
    throw cursorIssue(`names version ${version}, but the latest is ${last}; leave it out to start again`);
  }
  return version ?? last;
}

/** The error of a place that has no row. @param last what it is behind, as in `row` */
export const behindLast = (last: string): InvalidParamsError =>
  cursorIssue(`is past the last ${last}; use the parameters that it came with`);

const cursorIssue = (message: string): InvalidParamsError =>
  new InvalidParamsError([{ parameter: 'cursor', message }]);
