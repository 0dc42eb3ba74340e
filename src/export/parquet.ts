import { i64, listOf, numberOf, readStruct, type Struct, structsOf, writeStruct } from './thrift.js';

// A Parquet file is `PAR1`, row groups, a footer with the position of each of their columns, the footer's length (4
// bytes, little endian) and `PAR1`. Row groups are independent of each other, so the files that the engine writes for
// the parts of a download become one file by moving the positions in their footers: the footers are all that stays in
// memory, and row groups go out unchanged. A file that was cut short has no footer, and every reader refuses it.

const MAGIC = Buffer.from('PAR1');
const TAIL_BYTES = 8;

// Fields of parquet.thrift
const FILE = { numRows: 3, rowGroups: 4 };
const ROW_GROUP = { columns: 1, fileOffset: 5, ordinal: 7 };
const COLUMN_CHUNK = { fileOffset: 2, metaData: 3 };
const PAGE_INDEX = [4, 5, 6, 7]; // of a column chunk
const COLUMN = { dataPageOffset: 9, indexPageOffset: 10, dictionaryPageOffset: 11, bloomFilterOffset: 14 };

/** Joins Parquet files with the same columns into one. */
export class ParquetFile {
  readonly #rowGroups: Struct[] = [];
  #footer: Struct | undefined;
  #bytes = 0;
  #rows = 0n;

  /** The beginning of the file. */
  begin(): Buffer {
    this.#bytes = MAGIC.length;
    return MAGIC;
  }

  /**
   * The bytes of a part, itself a Parquet file, in this one.
   * @throws Error when the part is not a Parquet file, or has another number of rows
   */
  add(file: Buffer, rows: number): Buffer {
    const footer = footerOf(file);
    if (numberOf(footer.struct, FILE.numRows) !== BigInt(rows)) {
      throw new Error(`the part has ${numberOf(footer.struct, FILE.numRows)} rows, not ${rows}`);
    }
    const moveBy = BigInt(this.#bytes - MAGIC.length);
    for (const rowGroup of structsOf(footer.struct, FILE.rowGroups)) {
      move(rowGroup, ROW_GROUP.fileOffset, moveBy);
      rowGroup.fields.delete(ROW_GROUP.ordinal); // 16 bits, and not needed
      for (const chunk of structsOf(rowGroup, ROW_GROUP.columns)) moveChunk(chunk, moveBy);
      this.#rowGroups.push(rowGroup);
    }
    this.#footer ??= footer.struct;
    this.#rows += BigInt(rows);
    const content = file.subarray(MAGIC.length, footer.begin);
    this.#bytes += content.length;
    return content;
  }

  /** The end of the file. It needs at least one part, as parts bring the columns. */
  end(): Buffer {
    if (this.#footer === undefined) throw new Error('a Parquet file without any part has no columns');
    this.#footer.fields.set(FILE.numRows, i64(this.#rows));
    this.#footer.fields.set(FILE.rowGroups, listOf(this.#rowGroups));
    const footer = writeStruct(this.#footer);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(footer.length);
    return Buffer.concat([footer, length, MAGIC]);
  }
}

function footerOf(file: Buffer): { struct: Struct; begin: number } {
  const end = file.length - TAIL_BYTES;
  const isWhole = end >= MAGIC.length && file.subarray(0, 4).equals(MAGIC) && file.subarray(-4).equals(MAGIC);
  if (!isWhole) throw new Error('the part is not a Parquet file');
  const begin = end - file.readUInt32LE(end);
  return { struct: readStruct(file.subarray(begin, end)), begin };
}

function moveChunk(chunk: Struct, moveBy: bigint): void {
  move(chunk, COLUMN_CHUNK.fileOffset, moveBy);
  // A page index has positions of its own, and readers can do without it.
  for (const field of PAGE_INDEX) chunk.fields.delete(field);
  const metaData = chunk.fields.get(COLUMN_CHUNK.metaData);
  if (metaData === undefined || !('fields' in metaData))
    throw new Error('the part has a column without data');
  for (const field of Object.values(COLUMN)) move(metaData, field, moveBy);
}

/** Moves a position, if there is one. 0 stands for none, as every file begins with its magic. */
function move(struct: Struct, field: number, moveBy: bigint): void {
  if (!struct.fields.has(field)) return;
  const position = numberOf(struct, field);
  if (position !== 0n) struct.fields.set(field, i64(position + moveBy));
}
