import type { Buffer } from "node:buffer";
import { dataKind, KeyOperation, type OperationKind } from "./operation.js";
import { ProtoError, type ProtoReader } from "./proto-reader.js";
import { type Bytes, byteLength, fieldLength, type ProtoWriter, varintLength } from "./proto-writer.js";
import {
  type GetWithHashResponse,
  missing,
  type NotStored,
  notStored,
  type SetIfHashResponse,
  type Stored,
  stored,
} from "./responses.js";
import { readOutcome } from "./scalar-operations.js";

/** A condition on the value that is there: its field in `SetIfRequest`, and the name of its call. */
export const Condition = {
  present: { field: 4, kind: conditionKind("setIfPresent", 10) },
  presentAndNotEqual: { field: 5, kind: conditionKind("setIfPresentAndNotEqual", 10) },
  absent: { field: 6, kind: conditionKind("setIfAbsent", 10) },
  equal: { field: 7, kind: conditionKind("setIfEqual", 10) },
  absentOrEqual: { field: 8, kind: conditionKind("setIfAbsentOrEqual", 10) },
  notEqual: { field: 9, kind: conditionKind("setIfNotEqual", 10) },
} as const;

/** A condition on the hash of the value that is there: its field in `SetIfHashRequest`. */
export const HashCondition = {
  presentAndNotHashEqual: { field: 4, kind: conditionKind("setIfPresentAndNotHashEqual", 17) },
  presentAndHashEqual: { field: 5, kind: conditionKind("setIfPresentAndHashEqual", 17) },
  absentOrHashEqual: { field: 6, kind: conditionKind("setIfAbsentOrHashEqual", 17) },
  absentOrNotHashEqual: { field: 7, kind: conditionKind("setIfAbsentOrNotHashEqual", 17) },
  unconditional: { field: 8, kind: conditionKind("setWithHash", 17) },
} as const;

interface ConditionField {
  readonly field: number;
  readonly kind: OperationKind;
}

function conditionKind(name: string, field: number): OperationKind {
  return dataKind(name, field === 10 ? "SetIf" : "SetIfHash", field, { idempotent: false });
}

/** A set with a condition; without a comparand the condition's message is empty. */
abstract class ConditionalOperation<R> extends KeyOperation<R> {
  readonly kind: OperationKind;
  readonly #valueLength: number;
  readonly #comparandLength: number;

  constructor(
    cacheName: string,
    key: Bytes,
    readonly value: Bytes,
    readonly ttlMs: number,
    readonly condition: ConditionField,
    readonly comparand: Bytes | undefined,
  ) {
    super(cacheName, key);
    this.kind = condition.kind;
    this.#valueLength = byteLength(value);
    this.#comparandLength = comparand === undefined ? 0 : byteLength(comparand);
  }
  measure(): number {
    return (
      fieldLength(this.keyLengthBytes) +
      fieldLength(this.#valueLength) +
      1 +
      varintLength(this.ttlMs) +
      fieldLength(this.#conditionLength())
    );
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.bytesField(18, this.value, this.#valueLength);
    writer.byte(24);
    writer.varint(this.ttlMs);
    writer.byte(this.condition.field * 8 + 2);
    writer.varint(this.#conditionLength());
    if (this.comparand !== undefined) writer.bytesField(10, this.comparand, this.#comparandLength);
  }
  #conditionLength(): number {
    return this.comparand === undefined ? 0 : fieldLength(this.#comparandLength);
  }
}

export class SetIfOperation extends ConditionalOperation<Stored | NotStored> {
  decode(reader: ProtoReader): Stored | NotStored {
    const outcome = readOutcome(reader);
    if (outcome === 1) return stored;
    if (outcome === 2) return notStored;
    throw new ProtoError("a conditional set was answered with no outcome");
  }
}

export class SetIfHashOperation extends ConditionalOperation<SetIfHashResponse> {
  decode(reader: ProtoReader): SetIfHashResponse {
    let hash: Buffer | undefined;
    const outcome = readOutcome(reader, (found) => {
      hash = readPair(found)[0];
    });
    if (outcome === 1 && hash !== undefined) return { result: "stored", hash };
    if (outcome === 2) return notStored;
    throw new ProtoError("a set by hash was answered with no outcome");
  }
}

const getWithHashKind = dataKind("getWithHash", "GetWithHash", 16, { idempotent: true });

export class GetWithHashOperation extends KeyOperation<GetWithHashResponse> {
  get kind(): OperationKind {
    return getWithHashKind;
  }

  measure(): number {
    return fieldLength(this.keyLengthBytes);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
  }
  decode(reader: ProtoReader): GetWithHashResponse {
    let pair: [Buffer, Buffer] | undefined;
    const outcome = readOutcome(reader, (found) => {
      pair = readPair(found);
    });
    if (outcome === 1 && pair !== undefined) return { result: "found", value: pair[0], hash: pair[1] };
    if (outcome === 2) return missing;
    throw new ProtoError("a get with hash was answered with no outcome");
  }
  override hitsOf(response: GetWithHashResponse): { readonly hits: number; readonly misses: number } {
    const hits = response.result === "found" ? 1 : 0;
    return { hits, misses: 1 - hits };
  }
}

/** Reads fields 1 and 2, bytes, as copies of their own. */
function readPair(reader: ProtoReader): [Buffer, Buffer] {
  const none = reader.buffer.subarray(0, 0);
  let first = none;
  let second = none;
  while (reader.more) {
    const tag = reader.varint();
    if (tag === 10) first = copied(reader.bytes());
    else if (tag === 18) second = copied(reader.bytes());
    else reader.skip(tag);
  }
  return [first, second];
}

// A view would keep the connection's whole buffer alive for as long as the caller holds it.
function copied(view: Buffer): Buffer {
  return Uint8Array.prototype.slice.call(view) as Buffer;
}
