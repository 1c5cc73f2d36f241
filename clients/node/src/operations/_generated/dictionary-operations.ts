// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
import { type LookupResponse, miss, type SuccessResponse, success } from "../../client/responses.js";
import type { Item } from "../../collections/collection-arguments.js";
import {
  type EncodedList,
  encodedBytes,
  encodedItems,
  ttlLength,
  writeList,
  writeTtl,
} from "../../collections/collection-fields.js";
import { FieldsHit, ItemsHit } from "../../collections/collection-hits.js";
import { itemsIn, partsIn } from "../../collections/collection-responses.js";
import type { WireTtl } from "../../collections/collection-ttl.js";
import { KeyOperation, OneKeyOperation, type OperationKind } from "../operation.js";
import { ProtoError, type ProtoReader } from "../proto-reader.js";
import { type Bytes, bigVarintLength, byteLength, fieldLength, type ProtoWriter } from "../proto-writer.js";
import { bigIn, numberIn, outcomeOf } from "../response-fields.js";
import { kinds } from "./operation-kinds.js";

export class DictionaryGetOperation extends KeyOperation<LookupResponse<FieldsHit>> {
  readonly #fields: EncodedList;

  constructor(cacheName: string, key: Bytes, fields: readonly Bytes[]) {
    super(cacheName, key);
    this.#fields = encodedBytes(18, fields);
  }
  get kind(): OperationKind {
    return kinds.dictionaryGet;
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + this.#fields.bytes.length;
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writeList(writer, this.#fields);
  }
  decode(reader: ProtoReader): LookupResponse<FieldsHit> {
    const { number, content } = outcomeOf(reader);
    if (number === 1) return new FieldsHit(partsIn(content, 1, this.#fields.count));
    if (number === 2) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of dictionaryGet`);
  }
}

export class DictionaryFetchOperation extends OneKeyOperation<LookupResponse<ItemsHit>> {
  get kind(): OperationKind {
    return kinds.dictionaryFetch;
  }
  decode(reader: ProtoReader): LookupResponse<ItemsHit> {
    const { number, content } = outcomeOf(reader);
    if (number === 1) return new ItemsHit(itemsIn(content, 1));
    if (number === 2) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of dictionaryFetch`);
  }
}

export class DictionarySetOperation extends KeyOperation<SuccessResponse> {
  readonly #items: EncodedList;

  constructor(
    cacheName: string,
    key: Bytes,
    items: readonly Item[],
    readonly ttl: WireTtl,
  ) {
    super(cacheName, key);
    this.#items = encodedItems(18, items);
  }
  get kind(): OperationKind {
    return kinds.dictionarySet;
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + this.#items.bytes.length + ttlLength(this.ttl);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writeList(writer, this.#items);
    writeTtl(writer, 24, 32, this.ttl);
  }
  decode(): SuccessResponse {
    return success;
  }
}

export class DictionaryIncrementOperation extends KeyOperation<SuccessResponse<{ readonly value: bigint }>> {
  readonly #fieldBytes: number;

  constructor(
    cacheName: string,
    key: Bytes,
    readonly field: Bytes,
    readonly amount: bigint,
    readonly ttl: WireTtl,
  ) {
    super(cacheName, key);
    this.#fieldBytes = byteLength(field);
  }
  get kind(): OperationKind {
    return kinds.dictionaryIncrement;
  }
  measure(): number {
    return (
      fieldLength(this.keyLengthBytes) +
      fieldLength(this.#fieldBytes) +
      1 +
      bigVarintLength(this.amount) +
      ttlLength(this.ttl)
    );
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.bytesField(18, this.field, this.#fieldBytes);
    writer.byte(24);
    writer.bigVarint(this.amount);
    writeTtl(writer, 32, 40, this.ttl);
  }
  decode(reader: ProtoReader): SuccessResponse<{ readonly value: bigint }> {
    return { result: "success", value: bigIn(reader, 1) };
  }
}

export class DictionaryDeleteOperation extends KeyOperation<SuccessResponse> {
  get kind(): OperationKind {
    return kinds.dictionaryDelete;
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + 2;
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.header(26, 0);
  }
  decode(): SuccessResponse {
    return success;
  }
}

export class DictionaryRemoveOperation extends KeyOperation<SuccessResponse> {
  readonly #fields: EncodedList;

  constructor(cacheName: string, key: Bytes, fields: readonly Bytes[]) {
    super(cacheName, key);
    this.#fields = encodedBytes(10, fields);
  }
  get kind(): OperationKind {
    return kinds.dictionaryRemove;
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + fieldLength(this.#fields.bytes.length);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.header(18, this.#fields.bytes.length);
    writeList(writer, this.#fields);
  }
  decode(): SuccessResponse {
    return success;
  }
}

export class DictionaryLengthOperation extends OneKeyOperation<LookupResponse<{ readonly length: number }>> {
  get kind(): OperationKind {
    return kinds.dictionaryLength;
  }
  decode(reader: ProtoReader): LookupResponse<{ readonly length: number }> {
    const { number, content } = outcomeOf(reader);
    if (number === 1) return { result: "hit", length: numberIn(content, 1) };
    if (number === 2) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of dictionaryLength`);
  }
}
