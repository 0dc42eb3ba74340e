import { CSV_CONTENT_TYPE, FILE_MEDIA_TYPES, type FileFormat } from '../api/formats.js';
import { ParquetFile } from './parquet.js';

/** Makes a file of the parts that the store answers with, one after another. */
export interface FileWriter {
  /** What comes first. */
  begin(): Buffer;
  /** The bytes that stand for a part. @throws Error when it does not have so many rows */
  add(part: Buffer, rows: number): Buffer;
  /** What comes last. */
  end(): Buffer;
}

export interface FileForm {
  contentType: string;
  /** Whether gzip makes it shorter; Parquet compresses its own columns. */
  compressible: boolean;
  /** How the store writes a part: the end of a SELECT with a SETTINGS clause. */
  sql: string;
  /** Whether its values have types of their own. */
  values: 'text' | 'typed';
  writer(columns: readonly string[]): FileWriter;
}

/** The formats of a download. */
export const FILE_FORMATS: Record<FileFormat, FileForm> = {
  // As D17 has it. No value of a download has a comma, a quote or a line break, so none is quoted.
  csv: {
    contentType: CSV_CONTENT_TYPE,
    compressible: true,
    sql: `, format_custom_escaping_rule = 'Raw', format_custom_field_delimiter = ',',
      format_custom_row_after_delimiter = '\\r\\n' FORMAT CustomSeparated`,
    values: 'text',
    writer: (columns) => new LineWriter(`${columns.join(',')}\r\n`, /^[\w:.,+-]*\r\n$/),
  },
  ndjson: {
    contentType: `${FILE_MEDIA_TYPES.ndjson}; charset=utf-8`,
    compressible: true,
    sql: ', output_format_json_quote_64bit_integers = 0 FORMAT JSONEachRow',
    values: 'text',
    writer: () => new LineWriter('', /^\{.*\}\n$/),
  },
  // A page index would have to be moved with the rest (parquet.ts); a bloom filter is of use to no reader of a whole file.
  parquet: {
    contentType: FILE_MEDIA_TYPES.parquet,
    compressible: false,
    sql: ', output_format_parquet_write_page_index = 0, output_format_parquet_write_bloom_filter = 0 FORMAT Parquet',
    values: 'typed',
    writer: () => new ParquetFile(),
  },
};

const LF = 10;

/** A file of lines: those of its parts, after the first one. */
class LineWriter implements FileWriter {
  /** @param form of a line: a server that fails half way through a part writes its error there */
  constructor(
    private readonly firstLine: string,
    private readonly form: RegExp,
  ) {}

  begin(): Buffer {
    return Buffer.from(this.firstLine);
  }

  add(part: Buffer, rows: number): Buffer {
    let lines = 0;
    let lastLine = 0;
    for (let at = part.indexOf(LF); at !== -1; at = part.indexOf(LF, at + 1)) {
      lines += 1;
      if (at + 1 < part.length) lastLine = at + 1;
    }
    const isWhole = lines === rows && (rows === 0 || this.form.test(part.toString('latin1', lastLine)));
    if (!isWhole) throw new Error(`the part has ${lines} whole lines, not ${rows}`);
    return part;
  }

  end(): Buffer {
    return Buffer.alloc(0);
  }
}
