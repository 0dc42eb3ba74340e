import { z } from 'zod';
import { forEachCooperatively } from '../lib/yield-to-event-loop.js';
import { StoreUnavailable } from './store-errors.js';

// The rows of a response in FORMAT JSON. It may have 50,000 of them, 12 MB, so it is parsed block by block: every row stands
// between lines of its own, and no text in it has a line break or a tab that is not escaped.

const BEGIN = '\n\t"data":\n\t[\n';
const END = '\n\t],\n';
const ROW_END = '\n\t\t},\n';

/** Bytes that are parsed in a millisecond. */
const BLOCK_BYTES = 65_536;

/** As much as is used of what stands around the rows. */
const envelope = z.object({ data: z.array(z.unknown()), statistics: z.object({ rows_read: z.number() }) });

export interface UnparsedRows {
  /** The whole response, as rowsIn() takes it. */
  bytes: Buffer;
  /** Rows that the engine has read for the response. */
  rowsRead: number;
  /** The rows of the response, each parsed by a schema, in slices. */
  parse: <Row>(row: z.ZodType<Row>) => Promise<Row[]>;
}

/** @throws StoreUnavailable for bytes that are no such response; parse() does so as well */
export function rowsIn(bytes: Buffer): UnparsedRows {
  const place = bytes.indexOf(BEGIN);
  const begin = place === -1 ? bytes.length : place + BEGIN.length;
  const end = place === -1 ? bytes.length : bytes.lastIndexOf(END);
  const around = `${bytes.toString('utf8', 0, begin)}${bytes.toString('utf8', end)}`;
  const { data, statistics } = understood(() => envelope.parse(JSON.parse(around)));
  return {
    bytes,
    rowsRead: statistics.rows_read,
    async parse<Row>(row: z.ZodType<Row>) {
      const rows: Row[] = [];
      await forEachCooperatively(place === -1 ? data : valuesBetween(bytes, begin, end), (value) =>
        rows.push(row.parse(value)),
      );
      return rows;
    },
  };
}

function* valuesBetween(bytes: Buffer, begin: number, end: number): Generator<unknown> {
  for (let from = begin; from < end;) {
    const last = bytes.indexOf(ROW_END, from + BLOCK_BYTES);
    const to = last === -1 || last > end ? end : last + ROW_END.indexOf(',');
    yield* understood(() => JSON.parse(`[${bytes.toString('utf8', from, to)}]`) as unknown[]);
    from = to + 1;
  }
}

function understood<Result>(parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    throw new StoreUnavailable('what ClickHouse answered is not rows', { cause: error });
  }
}
