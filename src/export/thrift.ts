// Thrift's compact protocol, in which Parquet footers are written. What is read and written back has the same bytes.

const BOOLEAN_TRUE = 1;
const BOOLEAN_FALSE = 2;
const BYTE = 3;
const I16 = 4;
const I32 = 5;
const I64 = 6;
const DOUBLE = 7;
const BINARY = 8;
const LIST = 9;
const SET = 10;
const STRUCT = 12;

/** A value with its type in the file. Numbers are BigInt; a double keeps its bytes. */
export type Value =
  | { type: typeof BOOLEAN_TRUE | typeof BOOLEAN_FALSE }
  | { type: typeof BYTE | typeof I16 | typeof I32 | typeof I64; number: bigint }
  | { type: typeof DOUBLE | typeof BINARY; bytes: Buffer }
  | { type: typeof LIST | typeof SET; elementType: number; elements: Value[] }
  | Struct;

/** Fields by their number, ascending. */
export interface Struct {
  type: typeof STRUCT;
  fields: Map<number, Value>;
}

/** @throws Error when the bytes are not one whole struct, or have a type that Parquet footers never use (map, uuid) */
export function readStruct(bytes: Buffer): Struct {
  const reader = new Reader(bytes);
  const struct = reader.struct();
  if (reader.at !== bytes.length) throw new Error(`Thrift: ${bytes.length - reader.at} bytes are left over`);
  return struct;
}

export function writeStruct(struct: Struct): Buffer {
  const chunks: Buffer[] = [];
  putStruct(chunks, struct);
  return Buffer.concat(chunks);
}

/** The number in a field. @throws Error where there is none */
export function numberOf({ fields }: Struct, field: number): bigint {
  const value = fields.get(field);
  if (value === undefined || !('number' in value)) throw new Error(`Thrift: field ${field} is no number`);
  return value.number;
}

/** The list in a field. @throws Error where there is none */
export function structsOf({ fields }: Struct, field: number): Struct[] {
  const value = fields.get(field);
  if (value?.type !== LIST) throw new Error(`Thrift: field ${field} is no list`);
  return value.elements.map((element) => {
    if (element.type !== STRUCT) throw new Error(`Thrift: field ${field} is no list of structs`);
    return element;
  });
}

export function listOf(elements: Struct[]): Value {
  return { type: LIST, elementType: STRUCT, elements };
}

export function i64(number: bigint): Value {
  return { type: I64, number };
}

class Reader {
  at = 0;

  constructor(private readonly bytes: Buffer) {}

  struct(): Struct {
    const fields = new Map<number, Value>();
    for (let last = 0, header = this.#byte(); header !== 0; header = this.#byte()) {
      const step = header >> 4;
      last = step === 0 ? Number(this.#zigzag()) : last + step;
      fields.set(last, this.#value(header & 0x0f));
    }
    return { type: STRUCT, fields };
  }

  #value(type: number): Value {
    switch (type) {
      case BOOLEAN_TRUE:
      case BOOLEAN_FALSE:
        return { type }; // in a field the type is the value
      case BYTE:
        return { type, number: BigInt(this.#byte()) };
      case I16:
      case I32:
      case I64:
        return { type, number: this.#zigzag() };
      case DOUBLE:
        return { type, bytes: this.#take(8) };
      case BINARY:
        return { type, bytes: this.#take(Number(this.#varint())) };
      case LIST:
      case SET: {
        const header = this.#byte();
        const elementType = header & 0x0f;
        const size = header >> 4 === 15 ? Number(this.#varint()) : header >> 4;
        const isBoolean = elementType === BOOLEAN_TRUE || elementType === BOOLEAN_FALSE;
        const elements = Array.from({ length: size }, () =>
          this.#value(isBoolean ? this.#byte() : elementType),
        );
        return { type, elementType, elements };
      }
      case STRUCT:
        return this.struct();
      default:
        throw new Error(`Thrift: type ${type} at byte ${this.at}`);
    }
  }

  #byte(): number {
    return this.#take(1)[0] ?? 0;
  }

  #take(length: number): Buffer {
    const from = this.at;
    this.at += length;
    if (this.at > this.bytes.length) throw new Error('Thrift: the bytes end too soon');
    return this.bytes.subarray(from, this.at);
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  #zigzag(): bigint {
    const value = this.#varint();
    return (value >> 1n) ^ -(value & 1n);
  }
}

function putStruct(chunks: Buffer[], { fields }: Struct): void {
  let last = 0;
  for (const [field, value] of fields) {
    const step = field - last;
    if (step > 0 && step <= 15) chunks.push(Buffer.from([(step << 4) | value.type]));
    else chunks.push(Buffer.from([value.type]), zigzag(BigInt(field)));
    last = field;
    putValue(chunks, value);
  }
  chunks.push(Buffer.from([0]));
}

function putValue(chunks: Buffer[], value: Value): void {
  switch (value.type) {
    case BOOLEAN_TRUE:
    case BOOLEAN_FALSE:
      return;
    case BYTE:
      chunks.push(Buffer.from([Number(value.number)]));
      return;
    case I16:
    case I32:
    case I64:
      chunks.push(zigzag(value.number));
      return;
    case DOUBLE:
      chunks.push(value.bytes);
      return;
    case BINARY:
      chunks.push(varint(BigInt(value.bytes.length)), value.bytes);
      return;
    case LIST:
    case SET: {
      const { elementType, elements } = value;
      const size = elements.length;
      if (size < 15) chunks.push(Buffer.from([(size << 4) | elementType]));
      else chunks.push(Buffer.from([0xf0 | elementType]), varint(BigInt(size)));
      const isBoolean = elementType === BOOLEAN_TRUE || elementType === BOOLEAN_FALSE;
      for (const element of elements) {
        if (isBoolean) chunks.push(Buffer.from([element.type]));
        else putValue(chunks, element);
      }
      return;
    }
    case STRUCT:
      putStruct(chunks, value);
  }
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

function zigzag(value: bigint): Buffer {
  return varint((value << 1n) ^ (value >> 63n));
}
