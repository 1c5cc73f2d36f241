import { Hit, type Miss, miss, type Success, success } from "../client/responses.js";
import { kinds } from "./_generated/operation-kinds.js";
import { KeyOperation, OneKeyOperation, type OperationKind } from "./operation.js";
import type { ProtoReader } from "./proto-reader.js";
import { ProtoError } from "./proto-reader.js";
import { type Bytes, byteLength, fieldLength, type ProtoWriter, varintLength } from "./proto-writer.js";

/** The values of `CacheResult` in the protocol. */
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
  throw new ProtoError(`the response of a get has the unknown result ${result}`);
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
  throw new ProtoError(`the server returned the unknown result ${result} for a set call`);
}

export class GetOperation extends OneKeyOperation<Hit | Miss> {
  get kind(): OperationKind {
    return kinds.get;
  }

  decode(reader: ProtoReader): Hit | Miss {
    return readGetResponse(reader);
  }
}

export class SetOperation extends KeyOperation<Success> {
  get kind(): OperationKind {
    return kinds.set;
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
