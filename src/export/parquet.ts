import { deserializeTCompactProtocol } from 'hyparquet/src/thrift.js';
import { ByteWriter } from 'hyparquet-writer/src/bytewriter.js';
import { serializeTCompactProtocol } from 'hyparquet-writer/src/thrift.js';

// A Parquet file is `PAR1`, row groups, a footer with the position of each of their columns, the footer's length (4
// bytes, little endian) and `PAR1`. Row groups are independent of each other, so the files that the engine writes for
// the parts of a download become one file by moving the positions in their footers: the footers are all that stays in
// memory, and row groups go out unchanged. A file that was cut short has no footer, and every reader refuses it.

const MAGIC = Buffer.from('PAR1');
const TAIL_BYTES = 8;

// The fields of a footer that are read and changed, by their numbers in parquet.thrift. All others are written as they
// were read, whatever they mean. No column may have a type of unsigned integers or under 32 bits, because these have an
// i8. Readers refuse the i8 that the packages write.

interface Footer {
  /** num_rows */
  field_3: bigint;
  /** row_groups */
  field_4: RowGroup[];
}

interface RowGroup {
  /** columns */
  field_1: ColumnChunk[];
  /** file_offset */
  field_5?: bigint;
  /** ordinal */
  field_7?: number;
}

interface ColumnChunk {
  /** file_offset */
  field_2: bigint;
  /** meta_data */
  field_3: ColumnMetaData;
}

interface ColumnMetaData {
  /** data_page_offset */
  field_9: bigint;
  /** index_page_offset */
  field_10?: bigint;
  /** dictionary_page_offset */
  field_11?: bigint;
  /** bloom_filter_offset */
  field_14?: bigint;
}

/** Joins Parquet files with the same columns into one. */
export class ParquetFile {
  #footer: Footer | undefined;
  #bytes = 0;

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
    const { footer, begin } = readFooter(file);
    if (footer.field_3 !== BigInt(rows)) throw new Error(`the part has ${footer.field_3} rows, not ${rows}`);
    const moveBy = BigInt(this.#bytes - MAGIC.length);
    for (const rowGroup of footer.field_4) move(rowGroup, moveBy);
    if (this.#footer === undefined) this.#footer = footer;
    else {
      this.#footer.field_3 += footer.field_3;
      this.#footer.field_4.push(...footer.field_4);
    }
    const content = file.subarray(MAGIC.length, begin);
    this.#bytes += content.length;
    return content;
  }

  /** The end of the file. It needs at least one part, as parts bring the columns. */
  end(): Buffer {
    if (this.#footer === undefined) throw new Error('a Parquet file without any part has no columns');
    const writer = new ByteWriter();
    serializeTCompactProtocol(writer, { ...this.#footer });
    writer.appendUint32(writer.offset);
    writer.appendBytes(MAGIC);
    return Buffer.from(writer.getBuffer());
  }
}

function readFooter(file: Buffer): { footer: Footer; begin: number } {
  const end = file.length - TAIL_BYTES;
  const isWhole = end >= MAGIC.length && file.subarray(0, 4).equals(MAGIC) && file.subarray(-4).equals(MAGIC);
  if (!isWhole) throw new Error('the part is not a Parquet file');
  const begin = end - file.readUInt32LE(end);
  // A copy: texts of the footer are views of these bytes, and would keep the whole part in memory.
  const { buffer } = new Uint8Array(file.subarray(begin, end));
  const footer: unknown = deserializeTCompactProtocol({ view: new DataView(buffer), offset: 0 });
  return { footer: footer as Footer, begin };
}

/** Moves positions, where there are any. 0 stands for none, as every file begins with its magic. */
function move(rowGroup: RowGroup, by: bigint): void {
  rowGroup.field_5 &&= rowGroup.field_5 + by;
  delete rowGroup.field_7; // an i16, which would be written as an i32, and not needed
  // A chunk keeps all but its page index, which has positions of its own. Readers can do without it.
  rowGroup.field_1 = rowGroup.field_1.map(({ field_2: fileOffset, field_3: column }) => {
    column.field_9 += by;
    column.field_10 &&= column.field_10 + by;
    column.field_11 &&= column.field_11 + by;
    column.field_14 &&= column.field_14 + by;
    return { field_2: fileOffset && fileOffset + by, field_3: column };
  });
}
