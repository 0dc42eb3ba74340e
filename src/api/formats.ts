import { z } from 'zod';
import { defineGroup, type ParameterGroup } from './groups.js';
import { word } from './parameters.js';

/** The media types of the formats of an answer; the first format is the default. */
export const ANSWER_MEDIA_TYPES = { json: 'application/json', csv: 'text/csv' } as const;

/** Those of a file; the names are also its extensions. */
export const FILE_MEDIA_TYPES = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
} as const;

export type AnswerFormat = keyof typeof ANSWER_MEDIA_TYPES;
export type FileFormat = keyof typeof FILE_MEDIA_TYPES;

/** `format` decides; without it, what the client prefers by its Accept header, and at last the first (D22). */
function formatOf<Name extends string>(mediaTypes: Record<Name, string>, description: string) {
  const names = Object.keys(mediaTypes) as [Name, ...Name[]];
  return defineGroup({
    parameters: { format: word(names, description).optional() },
    read({ format }, { preferred }) {
      const accepted = preferred(Object.values(mediaTypes));
      const chosen = format ?? names.find((name) => mediaTypes[name] === accepted) ?? names[0];
      return () => chosen;
    },
    identity: (chosen) => chosen,
  }) as ParameterGroup<Name>;
}

export const answerFormat = formatOf<AnswerFormat>(
  ANSWER_MEDIA_TYPES,
  'Answer format; without it the Accept header decides, json first',
);

export const fileFormat = formatOf<FileFormat>(
  FILE_MEDIA_TYPES,
  'File format; without it the Accept header decides, csv first',
);

/** Where a download begins: the version of its rows, and how many of them the client has already. */
export const cursor = defineGroup({
  parameters: {
    cursor: z
      .string()
      .regex(/^\d{1,9}\.\d{1,12}$/, 'must be a version and a number of rows, such as 412.150000')
      .optional()
      .meta({
        description:
          'Continue a download: its X-Export-Cursor, with the number of rows that arrived added after the dot. ' +
          'Unchanged, it asks for the same version of the data again',
        example: '412.150000',
      }),
  },
  read({ cursor }) {
    const [version = 0, skip = 0] = cursor?.split('.').map(Number) ?? [];
    return () => (cursor === undefined ? undefined : { version, skip });
  },
  identity: () => undefined, // the version and the rows are part of the tag as they turn out
});
