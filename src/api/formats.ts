import { defineGroup, type RequestText } from './groups.js';
import { flag, type ParamIssue, word } from './parameters.js';

/** The media types of the formats of a response; the first format is the default. */
const RESPONSE_MEDIA_TYPES = { json: 'application/json', csv: 'text/csv' } as const;

/** The media types of the formats of a file; the names are also its extensions. */
export const FILE_MEDIA_TYPES = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
} as const;

/** Figures of a response by the last part of their path, with their content types. */
export const CHART_MEDIA_TYPES = {
  'chart.svg': 'image/svg+xml; charset=utf-8',
  'badge.json': 'application/json; charset=utf-8',
} as const;

export type FigureName = keyof typeof CHART_MEDIA_TYPES;
export type ResponseFormat = keyof typeof RESPONSE_MEDIA_TYPES | FigureName;

export const isChart = (format: string): format is FigureName => Object.hasOwn(CHART_MEDIA_TYPES, format);
export type FileFormat = keyof typeof FILE_MEDIA_TYPES;

export const CSV_CONTENT_TYPE = 'text/csv; charset=utf-8; header=present';

/** The last part of the path of a script that computes a response anew. */
export const SCRIPT_NAME = 'recompute.sql';

/** How a response is written. */
export interface ResponseForm {
  format: ResponseFormat;
  /** Whether CSV begins with a byte order mark, by which spreadsheets know UTF-8. */
  bom: boolean;
}

/** `format` decides; without it the Accept header; without either the first of the formats. */
function chosenFormat<Name extends string>(
  mediaTypes: Record<Name, string>,
  given: Name | undefined,
  { preferred }: RequestText,
): Name {
  const names = getNames(mediaTypes);
  const accepted = preferred(Object.values(mediaTypes));
  return given ?? names.find((name) => mediaTypes[name] === accepted) ?? names[0];
}

const getNames = <Name extends string>(mediaTypes: Record<Name, string>) =>
  Object.keys(mediaTypes) as [Name, ...Name[]];

export const negotiateFormat = defineGroup({
  parameters: {
    format: word(
      getNames(RESPONSE_MEDIA_TYPES),
      'Response format; default: what the Accept header prefers, json first',
    ).optional(),
    bom: flag(false, 'Start CSV with a byte order mark, so that spreadsheets recognize UTF-8'),
  },
  read(given, context): (() => ResponseForm) | ParamIssue[] {
    const { bom } = given;
    const [path = ''] = context.url.split('?', 1);
    const name = path.slice(path.lastIndexOf('/') + 1);
    const figure = isChart(name) ? name : undefined;
    if ((figure !== undefined || name === SCRIPT_NAME) && given.format !== undefined)
      return [{ parameter: 'format', message: `is fixed for ${name}; leave it out` }];
    const format = figure ?? chosenFormat(RESPONSE_MEDIA_TYPES, given.format, context);
    if (bom && 'format' in given && format !== 'csv') {
      return [{ parameter: 'bom', message: 'needs format=csv' }];
    }
    return () => ({ format, bom });
  },
  cacheKey: ({ format, bom }) => (bom ? `${format} bom` : format),
});

export const fileFormat = defineGroup({
  parameters: {
    format: word(
      getNames(FILE_MEDIA_TYPES),
      'File format; default: what the Accept header prefers, csv first',
    ).optional(),
  },
  read({ format }, context) {
    const chosen = chosenFormat(FILE_MEDIA_TYPES, format, context);
    return () => chosen;
  },
});
