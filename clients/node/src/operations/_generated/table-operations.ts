// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
import type { Buffer } from "node:buffer";
import { HashHit } from "../../client/hit.js";
import {
  type ConditionalResponse,
  type ItemType,
  type LookupResponse,
  type Miss,
  miss,
  notStored,
  type SuccessResponse,
  stored,
  success,
} from "../../client/responses.js";
import { CacheNameOperation, EmptyOperation, KeyOperation, OneKeyOperation, type OperationKind } from "../operation.js";
import { ProtoError, type ProtoReader } from "../proto-reader.js";
import {
  type Bytes,
  bigVarintLength,
  byteLength,
  fieldLength,
  type ProtoWriter,
  varintLength,
} from "../proto-writer.js";
import { bigIn, bytesIn, itemTypeIn, numberIn, outcomeOf } from "../response-fields.js";
import { kinds } from "./operation-kinds.js";

export class DeleteOperation extends OneKeyOperation<SuccessResponse> {
  get kind(): OperationKind {
    return kinds.delete;
  }
  decode(): SuccessResponse {
    return success;
  }
}

export class IncrementOperation extends KeyOperation<SuccessResponse<{ readonly value: bigint }>> {
  constructor(
    cacheName: string,
    key: Bytes,
    readonly amount: bigint,
    readonly ttlMs: number,
    readonly keepTtl: boolean,
  ) {
    super(cacheName, key);
  }
  get kind(): OperationKind {
    return kinds.increment;
  }
  measure(): number {
    return (
      fieldLength(this.keyLengthBytes) +
      1 +
      bigVarintLength(this.amount) +
      1 +
      varintLength(this.ttlMs) +
      (this.keepTtl ? 3 : 0)
    );
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.byte(16);
    writer.bigVarint(this.amount);
    writer.byte(24);
    writer.varint(this.ttlMs);
    if (this.keepTtl) {
      writer.varint(512);
      writer.byte(1);
    }
  }
  decode(reader: ProtoReader): SuccessResponse<{ readonly value: bigint }> {
    return { result: "success", value: bigIn(reader, 1) };
  }
}

export class ItemGetTtlOperation extends OneKeyOperation<LookupResponse<{ readonly remainingTtlMs: number }>> {
  get kind(): OperationKind {
    return kinds.itemGetTtl;
  }
  decode(reader: ProtoReader): LookupResponse<{ readonly remainingTtlMs: number }> {
    const { number, content } = outcomeOf(reader);
    if (number === 1) return { result: "hit", remainingTtlMs: numberIn(content, 1) };
    if (number === 2) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of itemGetTtl`);
  }
}

export class ItemGetTypeOperation extends OneKeyOperation<LookupResponse<{ readonly type: ItemType }>> {
  get kind(): OperationKind {
    return kinds.itemGetType;
  }
  decode(reader: ProtoReader): LookupResponse<{ readonly type: ItemType }> {
    const { number, content } = outcomeOf(reader);
    if (number === 1) return { result: "hit", type: itemTypeIn(content, 1) };
    if (number === 2) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of itemGetType`);
  }
}

export class GetWithHashOperation extends OneKeyOperation<LookupResponse<HashHit>> {
  get kind(): OperationKind {
    return kinds.getWithHash;
  }
  decode(reader: ProtoReader): LookupResponse<HashHit> {
    const { number, content } = outcomeOf(reader);
    if (number === 1) return new HashHit(bytesIn(content, 1), bytesIn(content, 2));
    if (number === 2) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of getWithHash`);
  }
  override hitsOf(response: LookupResponse<HashHit>): { readonly hits: number; readonly misses: number } {
    const hits = response.result === "hit" ? 1 : 0;
    return { hits, misses: 1 - hits };
  }
}

/** The arms of `UpdateTtlRequest.change`: the field and the call of each. */
export const UpdateTtlChange = {
  overwriteTo: { field: 4, kind: kinds.updateTtl },
  increaseTo: { field: 2, kind: kinds.increaseTtl },
  decreaseTo: { field: 3, kind: kinds.decreaseTtl },
} as const;

export class UpdateTtlOperation extends KeyOperation<ConditionalResponse | Miss> {
  constructor(
    cacheName: string,
    key: Bytes,
    readonly change: { readonly field: number; readonly kind: OperationKind },
    readonly ttlMs: number,
  ) {
    super(cacheName, key);
  }
  get kind(): OperationKind {
    return this.change.kind;
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + 1 + varintLength(this.ttlMs);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.byte(this.change.field * 8);
    writer.varint(this.ttlMs);
  }
  decode(reader: ProtoReader): ConditionalResponse | Miss {
    const { number } = outcomeOf(reader);
    if (number === 1) return stored;
    if (number === 2) return notStored;
    if (number === 3) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of updateTtl`);
  }
}

export class UpdateTtlIfPrefixOperation extends KeyOperation<ConditionalResponse<unknown, { readonly prefix: Buffer }> | Miss> {
  readonly #prefixBytes: number;

  constructor(
    cacheName: string,
    key: Bytes,
    readonly prefix: Bytes,
    readonly ttlMs: number,
  ) {
    super(cacheName, key);
    this.#prefixBytes = byteLength(prefix);
  }
  get kind(): OperationKind {
    return kinds.updateTtlIfPrefix;
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + fieldLength(this.#prefixBytes) + 1 + varintLength(this.ttlMs);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.bytesField(18, this.prefix, this.#prefixBytes);
    writer.byte(24);
    writer.varint(this.ttlMs);
  }
  decode(reader: ProtoReader): ConditionalResponse<unknown, { readonly prefix: Buffer }> | Miss {
    const { number, content } = outcomeOf(reader);
    if (number === 1) return stored;
    if (number === 2) return { result: "notStored", prefix: bytesIn(content, 1) };
    if (number === 3) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of updateTtlIfPrefix`);
  }
}

/** The arms of `SetIfRequest.condition`: the field and the call of each. */
export const SetIfCondition = {
  absent: { field: 6, kind: kinds.setIfAbsent },
  present: { field: 4, kind: kinds.setIfPresent },
  equal: { field: 7, kind: kinds.setIfEqual },
  notEqual: { field: 9, kind: kinds.setIfNotEqual },
  presentAndNotEqual: { field: 5, kind: kinds.setIfPresentAndNotEqual },
  absentOrEqual: { field: 8, kind: kinds.setIfAbsentOrEqual },
} as const;

export class SetIfOperation extends KeyOperation<ConditionalResponse> {
  readonly #valueBytes: number;
  readonly #equalBytes: number;

  constructor(
    cacheName: string,
    key: Bytes,
    readonly value: Bytes,
    readonly ttlMs: number,
    readonly condition: { readonly field: number; readonly kind: OperationKind },
    readonly equal?: Bytes | undefined,
  ) {
    super(cacheName, key);
    this.#valueBytes = byteLength(value);
    this.#equalBytes = equal === undefined ? 0 : byteLength(equal);
  }
  get kind(): OperationKind {
    return this.condition.kind;
  }
  measure(): number {
    return (
      fieldLength(this.keyLengthBytes) +
      fieldLength(this.#valueBytes) +
      1 +
      varintLength(this.ttlMs) +
      fieldLength(this.#conditionLength())
    );
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.bytesField(18, this.value, this.#valueBytes);
    writer.byte(24);
    writer.varint(this.ttlMs);
    writer.byte(this.condition.field * 8 + 2);
    writer.varint(this.#conditionLength());
    if (this.equal !== undefined) writer.bytesField(10, this.equal, this.#equalBytes);
  }
  #conditionLength(): number {
    return this.equal === undefined ? 0 : fieldLength(this.#equalBytes);
  }
  decode(reader: ProtoReader): ConditionalResponse {
    const { number } = outcomeOf(reader);
    if (number === 1) return stored;
    if (number === 2) return notStored;
    throw new ProtoError(`unknown outcome ${number} in the response of setIf`);
  }
}

/** The arms of `SetIfHashRequest.condition`: the field and the call of each. */
export const SetIfHashCondition = {
  presentAndHashEqual: { field: 5, kind: kinds.setIfPresentAndHashEqual },
  presentAndNotHashEqual: { field: 4, kind: kinds.setIfPresentAndNotHashEqual },
  absentOrHashEqual: { field: 6, kind: kinds.setIfAbsentOrHashEqual },
  absentOrNotHashEqual: { field: 7, kind: kinds.setIfAbsentOrNotHashEqual },
  unconditional: { field: 8, kind: kinds.setWithHash },
} as const;

export class SetIfHashOperation extends KeyOperation<ConditionalResponse<{ readonly hash: Buffer }>> {
  readonly #valueBytes: number;
  readonly #hashBytes: number;

  constructor(
    cacheName: string,
    key: Bytes,
    readonly value: Bytes,
    readonly ttlMs: number,
    readonly condition: { readonly field: number; readonly kind: OperationKind },
    readonly hash?: Bytes | undefined,
  ) {
    super(cacheName, key);
    this.#valueBytes = byteLength(value);
    this.#hashBytes = hash === undefined ? 0 : byteLength(hash);
  }
  get kind(): OperationKind {
    return this.condition.kind;
  }
  measure(): number {
    return (
      fieldLength(this.keyLengthBytes) +
      fieldLength(this.#valueBytes) +
      1 +
      varintLength(this.ttlMs) +
      fieldLength(this.#conditionLength())
    );
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.bytesField(18, this.value, this.#valueBytes);
    writer.byte(24);
    writer.varint(this.ttlMs);
    writer.byte(this.condition.field * 8 + 2);
    writer.varint(this.#conditionLength());
    if (this.hash !== undefined) writer.bytesField(10, this.hash, this.#hashBytes);
  }
  #conditionLength(): number {
    return this.hash === undefined ? 0 : fieldLength(this.#hashBytes);
  }
  decode(reader: ProtoReader): ConditionalResponse<{ readonly hash: Buffer }> {
    const { number, content } = outcomeOf(reader);
    if (number === 1) return { result: "stored", hash: bytesIn(content, 1) };
    if (number === 2) return notStored;
    throw new ProtoError(`unknown outcome ${number} in the response of setIfHash`);
  }
}

export class CreateCacheOperation extends CacheNameOperation<SuccessResponse> {
  get kind(): OperationKind {
    return kinds.createCache;
  }
  decode(): SuccessResponse {
    return success;
  }
}

export class DeleteCacheOperation extends CacheNameOperation<SuccessResponse> {
  get kind(): OperationKind {
    return kinds.deleteCache;
  }
  decode(): SuccessResponse {
    return success;
  }
}

export class FlushCacheOperation extends CacheNameOperation<SuccessResponse> {
  get kind(): OperationKind {
    return kinds.flushCache;
  }
  decode(): SuccessResponse {
    return success;
  }
}

export class PingOperation extends EmptyOperation<SuccessResponse> {
  get kind(): OperationKind {
    return kinds.ping;
  }
  decode(): SuccessResponse {
    return success;
  }
}
