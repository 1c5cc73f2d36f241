import { dataKind, KeyOperation, type OperationKind } from "./operation.js";
import type { ProtoReader } from "./proto-reader.js";
import { ProtoError } from "./proto-reader.js";
import { type Bytes, byteLength, fieldLength, type ProtoWriter, varintLength } from "./proto-writer.js";
import {
  Hit,
  type IncrementResponse,
  type ItemGetTtlResponse,
  type ItemGetTypeResponse,
  type ItemType,
  type Miss,
  miss,
  missing,
  type Success,
  success,
  type UpdateTtlResponse,
} from "./responses.js";

const getKind = dataKind("get", "Get", 4, { idempotent: true });
const setKind = dataKind("set", "Set", 5, { idempotent: true });
const deleteKind = dataKind("delete", "Delete", 6, { idempotent: true });
const incrementKind = dataKind("increment", "Increment", 9, { idempotent: false });
const itemGetTtlKind = dataKind("itemGetTtl", "ItemGetTtl", 12, { idempotent: true });
const itemGetTypeKind = dataKind("itemGetType", "ItemGetType", 18, { idempotent: true });

/** `CacheResult` of the contract. */
export const CacheResult = { ok: 1, hit: 2, miss: 3 } as const;

/** Reads a GetResponse. */
export function readGetResponse(reader: ProtoReader): Hit | Miss {
  let result = 0;
  let start = 0;
  let end = 0;
  while (reader.position < reader.end) {
    const tag = reader.varint();
    if (tag === 8) result = reader.varint();
    else if (tag === 18) {
      end = reader.fieldEnd();
      start = reader.position;
      reader.position = end;
    } else reader.skip(tag);
  }
  if (result === CacheResult.hit) return new Hit(reader.buffer, start, end);
  if (result === CacheResult.miss) return miss;
  throw new ProtoError(`a get was answered with result ${result}`);
}

/** Reads a SetResponse. */
export function readSetResponse(reader: ProtoReader): Success {
  let result = 0;
  while (reader.position < reader.end) {
    const tag = reader.varint();
    if (tag === 8) result = reader.varint();
    else reader.skip(tag);
  }
  if (result === CacheResult.ok) return success;
  throw new ProtoError(`a set was answered with result ${result}`);
}

/** Reads the number of the response's only field, a oneof of messages; `found` reads inside that of number 1. */
export function readOutcome(reader: ProtoReader, found?: (reader: ProtoReader) => void): number {
  let outcome = 0;
  while (reader.more) {
    const tag = reader.varint();
    outcome = tag >>> 3;
    if (outcome === 1 && found !== undefined) reader.nested(found);
    else reader.skip(tag);
  }
  return outcome;
}

export class GetOperation extends KeyOperation<Hit | Miss> {
  get kind(): OperationKind {
    return getKind;
  }

  measure(): number {
    return fieldLength(this.keyLengthBytes);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
  }
  decode(reader: ProtoReader): Hit | Miss {
    return readGetResponse(reader);
  }
}

export class SetOperation extends KeyOperation<Success> {
  get kind(): OperationKind {
    return setKind;
  }
  readonly #valueBytes: number;

  constructor(
    cacheName: string,
    key: Bytes,
    readonly value: Bytes,
    readonly ttlMs: number,
  ) {
    super(cacheName, key);
    this.#valueBytes = byteLength(value);
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + fieldLength(this.#valueBytes) + 1 + varintLength(this.ttlMs);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.bytesField(18, this.value, this.#valueBytes);
    writer.byte(24);
    writer.varint(this.ttlMs);
  }
  decode(reader: ProtoReader): Success {
    return readSetResponse(reader);
  }
}

export class DeleteOperation extends KeyOperation<Success> {
  get kind(): OperationKind {
    return deleteKind;
  }

  measure(): number {
    return fieldLength(this.keyLengthBytes);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
  }
  decode(): Success {
    return success;
  }
}

export class IncrementOperation extends KeyOperation<IncrementResponse> {
  get kind(): OperationKind {
    return incrementKind;
  }
  readonly #amountLength: number;

  constructor(
    cacheName: string,
    key: Bytes,
    readonly amount: bigint,
    readonly ttlMs: number,
    readonly keepTtl = false,
  ) {
    super(cacheName, key);
    // A negative number is ten bytes: its 64 bits, seven at a time.
    this.#amountLength = amount < 0n ? 10 : Math.max(1, Math.ceil(amount.toString(2).length / 7));
  }
  measure(): number {
    const keepLength = this.keepTtl ? 3 : 0;
    return fieldLength(this.keyLengthBytes) + 1 + this.#amountLength + 1 + varintLength(this.ttlMs) + keepLength;
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.byte(16);
    writer.bigVarint(this.amount);
    writer.byte(24);
    writer.varint(this.ttlMs);
    if (!this.keepTtl) return;
    // Field 64: a tag of two bytes.
    writer.varint(64 * 8);
    writer.byte(1);
  }
  decode(reader: ProtoReader): IncrementResponse {
    let value = 0n;
    while (reader.more) {
      const tag = reader.varint();
      if (tag === 8) value = reader.bigVarint();
      else reader.skip(tag);
    }
    return { result: "success", value };
  }
}

/** Which change of the time to live: the field that carries it. */
export const TtlChange = { increase: 2, decrease: 3, overwrite: 4 } as const;
export type TtlChange = (typeof TtlChange)[keyof typeof TtlChange];

const ttlKinds = {
  [TtlChange.increase]: dataKind("increaseTtl", "UpdateTtl", 11, { idempotent: false }),
  [TtlChange.decrease]: dataKind("decreaseTtl", "UpdateTtl", 11, { idempotent: false }),
  [TtlChange.overwrite]: dataKind("updateTtl", "UpdateTtl", 11, { idempotent: false }),
};

export class UpdateTtlOperation extends KeyOperation<UpdateTtlResponse> {
  readonly kind: OperationKind;

  constructor(
    cacheName: string,
    key: Bytes,
    readonly change: TtlChange,
    readonly ttlMs: number,
  ) {
    super(cacheName, key);
    this.kind = ttlKinds[change];
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + 1 + varintLength(this.ttlMs);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.byte(this.change * 8);
    writer.varint(this.ttlMs);
  }
  decode(reader: ProtoReader): UpdateTtlResponse {
    const outcome = readOutcome(reader);
    if (outcome === 1) return { result: "set" };
    if (outcome === 2) return { result: "notSet" };
    if (outcome === 3) return missing;
    throw new ProtoError("an update of a time to live was answered with no outcome");
  }
}

export class ItemGetTtlOperation extends KeyOperation<ItemGetTtlResponse> {
  get kind(): OperationKind {
    return itemGetTtlKind;
  }

  measure(): number {
    return fieldLength(this.keyLengthBytes);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
  }
  decode(reader: ProtoReader): ItemGetTtlResponse {
    let remainingTtlMs = 0;
    const outcome = readOutcome(reader, (found) => {
      remainingTtlMs = readNumber(found);
    });
    if (outcome === 1) return { result: "found", remainingTtlMs };
    if (outcome === 2) return missing;
    throw new ProtoError("a reading of a time to live was answered with no outcome");
  }
}

const itemTypes: readonly ItemType[] = ["scalar", "dictionary", "set", "list", "sortedSet"];

export class ItemGetTypeOperation extends KeyOperation<ItemGetTypeResponse> {
  get kind(): OperationKind {
    return itemGetTypeKind;
  }

  measure(): number {
    return fieldLength(this.keyLengthBytes);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
  }
  decode(reader: ProtoReader): ItemGetTypeResponse {
    let number = 0;
    const outcome = readOutcome(reader, (found) => {
      number = readNumber(found);
    });
    if (outcome === 2) return missing;
    const type = itemTypes[number];
    if (outcome === 1 && type !== undefined) return { result: "found", type };
    throw new ProtoError(`a type was answered with outcome ${outcome}, type ${number}`);
  }
}

/** Reads field 1, a number; 0 where it is left out. */
function readNumber(reader: ProtoReader): number {
  let value = 0;
  while (reader.more) {
    const tag = reader.varint();
    if (tag === 8) value = reader.varint();
    else reader.skip(tag);
  }
  return value;
}
