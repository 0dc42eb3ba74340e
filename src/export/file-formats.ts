import { CSV_CONTENT_TYPE, FILE_MEDIA_TYPES, type FileFormat } from '../api/formats.js';
import type { Settings } from '../queries/sql.js';
import { ParquetFile } from './parquet.js';

/** Joins the parts of a download into one file. */
export interface FileWriter {
  /** The beginning of the file. */
  begin(): Buffer;
  /** The bytes of a part in the file. @throws Error when the part does not have this number of rows */
  add(part: Buffer, rows: number): Buffer;
  /** The end of the file. */
  end(): Buffer;
}

export interface FileForm {
  contentType: string;
  /** Whether gzip makes it shorter; Parquet compresses its own columns. */
  compressible: boolean;
  /** By which the store writes a part. */
  format: string;
  settings: Settings;
  /**
   * The most rows of a part. The embedded engine gives a part as a whole, and while its bytes are taken over nothing else is
   * answered: 4 MB of CSV, 6 of NDJSON.
   */
  partRows: number;
  /** Whether all values are text, or have types. */
  values: 'text' | 'typed';
  writer(columns: readonly string[]): FileWriter;
}

/** The formats of a download. */
export const FILE_FORMATS: Record<FileFormat, FileForm> = {
  // The form is that of docs/api.md. No value of a download contains a comma, a quote or a line break, so none needs quotes.
  csv: {
    contentType: CSV_CONTENT_TYPE,
    compressible: true,
    format: 'CustomSeparated',
    partRows: 50_000,
    settings: {
      format_custom_escaping_rule: 'Raw',
      format_custom_field_delimiter: ',',
      format_custom_row_after_delimiter: '\r\n',
      format_tsv_null_representation: '', // of raw cells, too
    },
    values: 'text',
    writer: (columns) => new LineWriter(`${columns.join(',')}\r\n`, /^[\w:.,+|;%~-]*\r\n$/),
  },
  ndjson: {
    contentType: `${FILE_MEDIA_TYPES.ndjson}; charset=utf-8`,
    compressible: true,
    format: 'JSONEachRow',
    partRows: 25_000,
    settings: { output_format_json_quote_64bit_integers: 0 },
    values: 'text',
    writer: () => new LineWriter('', /^\{.*\}\n$/),
  },
  // Joining parts would have to move a page index too (parquet.ts); readers of a whole file need no bloom filter.
  parquet: {
    contentType: FILE_MEDIA_TYPES.parquet,
    compressible: false,
    format: 'Parquet',
    partRows: 100_000,
    settings: { output_format_parquet_write_page_index: 0, output_format_parquet_write_bloom_filter: 0 },
    values: 'typed',
    writer: () => new ParquetFile(),
  },
};

const LF = 10;

/** A file of lines: the first line, then those of the parts. */
class LineWriter implements FileWriter {
  /** @param form of a line: a server that fails in the middle of a part writes its error in place of a line */
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
