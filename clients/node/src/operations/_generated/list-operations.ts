// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
import type { ListRange } from "../../client/client-options.js";
import { type LookupResponse, miss, type SuccessResponse } from "../../client/responses.js";
import {
  type EncodedList,
  encodedBytes,
  encodedRanges,
  indexLength,
  ttlLength,
  writeIndex,
  writeList,
  writeTtl,
} from "../../collections/collection-fields.js";
import { PoppedHit, ValuesHit } from "../../collections/collection-hits.js";
import { listIn } from "../../collections/collection-responses.js";
import type { WireTtl } from "../../collections/collection-ttl.js";
import { KeyOperation, OneKeyOperation, type OperationKind } from "../operation.js";
import { ProtoError, type ProtoReader } from "../proto-reader.js";
import { type Bytes, byteLength, fieldLength, type ProtoWriter, varintLength } from "../proto-writer.js";
import { bytesIn, numberIn, outcomeOf } from "../response-fields.js";
import { kinds } from "./operation-kinds.js";

export class ListPushFrontOperation extends KeyOperation<SuccessResponse<{ readonly length: number }>> {
  readonly #valueBytes: number;

  constructor(
    cacheName: string,
    key: Bytes,
    readonly value: Bytes,
    readonly ttl: WireTtl,
    readonly truncateBackToSize: number,
  ) {
    super(cacheName, key);
    this.#valueBytes = byteLength(value);
  }
  get kind(): OperationKind {
    return kinds.listPushFront;
  }
  measure(): number {
    return (
      fieldLength(this.keyLengthBytes) +
      fieldLength(this.#valueBytes) +
      ttlLength(this.ttl) +
      1 +
      varintLength(this.truncateBackToSize)
    );
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.bytesField(18, this.value, this.#valueBytes);
    writeTtl(writer, 24, 32, this.ttl);
    writer.byte(40);
    writer.varint(this.truncateBackToSize);
  }
  decode(reader: ProtoReader): SuccessResponse<{ readonly length: number }> {
    return { result: "success", length: numberIn(reader, 1) };
  }
}

export class ListPushBackOperation extends KeyOperation<SuccessResponse<{ readonly length: number }>> {
  readonly #valueBytes: number;

  constructor(
    cacheName: string,
    key: Bytes,
    readonly value: Bytes,
    readonly ttl: WireTtl,
    readonly truncateFrontToSize: number,
  ) {
    super(cacheName, key);
    this.#valueBytes = byteLength(value);
  }
  get kind(): OperationKind {
    return kinds.listPushBack;
  }
  measure(): number {
    return (
      fieldLength(this.keyLengthBytes) +
      fieldLength(this.#valueBytes) +
      ttlLength(this.ttl) +
      1 +
      varintLength(this.truncateFrontToSize)
    );
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.bytesField(18, this.value, this.#valueBytes);
    writeTtl(writer, 24, 32, this.ttl);
    writer.byte(40);
    writer.varint(this.truncateFrontToSize);
  }
  decode(reader: ProtoReader): SuccessResponse<{ readonly length: number }> {
    return { result: "success", length: numberIn(reader, 1) };
  }
}

export class ListConcatenateFrontOperation extends KeyOperation<SuccessResponse<{ readonly length: number }>> {
  readonly #values: EncodedList;

  constructor(
    cacheName: string,
    key: Bytes,
    values: readonly Bytes[],
    readonly ttl: WireTtl,
    readonly truncateBackToSize: number,
  ) {
    super(cacheName, key);
    this.#values = encodedBytes(18, values);
  }
  get kind(): OperationKind {
    return kinds.listConcatenateFront;
  }
  measure(): number {
    return (
      fieldLength(this.keyLengthBytes) +
      this.#values.bytes.length +
      ttlLength(this.ttl) +
      1 +
      varintLength(this.truncateBackToSize)
    );
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writeList(writer, this.#values);
    writeTtl(writer, 24, 32, this.ttl);
    writer.byte(40);
    writer.varint(this.truncateBackToSize);
  }
  decode(reader: ProtoReader): SuccessResponse<{ readonly length: number }> {
    return { result: "success", length: numberIn(reader, 1) };
  }
}

export class ListConcatenateBackOperation extends KeyOperation<SuccessResponse<{ readonly length: number }>> {
  readonly #values: EncodedList;

  constructor(
    cacheName: string,
    key: Bytes,
    values: readonly Bytes[],
    readonly ttl: WireTtl,
    readonly truncateFrontToSize: number,
  ) {
    super(cacheName, key);
    this.#values = encodedBytes(18, values);
  }
  get kind(): OperationKind {
    return kinds.listConcatenateBack;
  }
  measure(): number {
    return (
      fieldLength(this.keyLengthBytes) +
      this.#values.bytes.length +
      ttlLength(this.ttl) +
      1 +
      varintLength(this.truncateFrontToSize)
    );
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writeList(writer, this.#values);
    writeTtl(writer, 24, 32, this.ttl);
    writer.byte(40);
    writer.varint(this.truncateFrontToSize);
  }
  decode(reader: ProtoReader): SuccessResponse<{ readonly length: number }> {
    return { result: "success", length: numberIn(reader, 1) };
  }
}

export class ListPopFrontOperation extends OneKeyOperation<LookupResponse<PoppedHit>> {
  get kind(): OperationKind {
    return kinds.listPopFront;
  }
  decode(reader: ProtoReader): LookupResponse<PoppedHit> {
    const { number, content } = outcomeOf(reader);
    if (number === 1) return new PoppedHit(bytesIn(content, 1), numberIn(content, 2));
    if (number === 2) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of listPopFront`);
  }
}

export class ListPopBackOperation extends OneKeyOperation<LookupResponse<PoppedHit>> {
  get kind(): OperationKind {
    return kinds.listPopBack;
  }
  decode(reader: ProtoReader): LookupResponse<PoppedHit> {
    const { number, content } = outcomeOf(reader);
    if (number === 1) return new PoppedHit(bytesIn(content, 1), numberIn(content, 2));
    if (number === 2) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of listPopBack`);
  }
}

export class ListFetchOperation extends KeyOperation<LookupResponse<ValuesHit>> {
  constructor(
    cacheName: string,
    key: Bytes,
    readonly start: number | undefined,
    readonly end: number | undefined,
  ) {
    super(cacheName, key);
  }
  get kind(): OperationKind {
    return kinds.listFetch;
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + indexLength(this.start) + indexLength(this.end);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writeIndex(writer, 24, 18, this.start);
    writeIndex(writer, 40, 34, this.end);
  }
  decode(reader: ProtoReader): LookupResponse<ValuesHit> {
    const { number, content } = outcomeOf(reader);
    if (number === 1) return new ValuesHit(listIn(content, 1));
    if (number === 2) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of listFetch`);
  }
}

export class ListRetainOperation extends KeyOperation<LookupResponse<{ readonly length: number }>> {
  constructor(
    cacheName: string,
    key: Bytes,
    readonly start: number | undefined,
    readonly end: number | undefined,
    readonly ttl: WireTtl,
  ) {
    super(cacheName, key);
  }
  get kind(): OperationKind {
    return kinds.listRetain;
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + indexLength(this.start) + indexLength(this.end) + ttlLength(this.ttl);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writeIndex(writer, 24, 18, this.start);
    writeIndex(writer, 40, 34, this.end);
    writeTtl(writer, 48, 56, this.ttl);
  }
  decode(reader: ProtoReader): LookupResponse<{ readonly length: number }> {
    const { number, content } = outcomeOf(reader);
    if (number === 1) return { result: "hit", length: numberIn(content, 1) };
    if (number === 2) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of listRetain`);
  }
}

export class ListRemoveOperation extends KeyOperation<LookupResponse<{ readonly length: number }>> {
  readonly #valueBytes: number;

  constructor(
    cacheName: string,
    key: Bytes,
    readonly value: Bytes,
  ) {
    super(cacheName, key);
    this.#valueBytes = byteLength(value);
  }
  get kind(): OperationKind {
    return kinds.listRemove;
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + fieldLength(this.#valueBytes);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.bytesField(18, this.value, this.#valueBytes);
  }
  decode(reader: ProtoReader): LookupResponse<{ readonly length: number }> {
    const { number, content } = outcomeOf(reader);
    if (number === 1) return { result: "hit", length: numberIn(content, 1) };
    if (number === 2) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of listRemove`);
  }
}

export class ListEraseOperation extends KeyOperation<LookupResponse<{ readonly length: number }>> {
  readonly #ranges: EncodedList;

  constructor(cacheName: string, key: Bytes, ranges: readonly ListRange[]) {
    super(cacheName, key);
    this.#ranges = encodedRanges(10, ranges);
  }
  get kind(): OperationKind {
    return kinds.listErase;
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + fieldLength(this.#ranges.bytes.length);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.header(18, this.#ranges.bytes.length);
    writeList(writer, this.#ranges);
  }
  decode(reader: ProtoReader): LookupResponse<{ readonly length: number }> {
    const { number, content } = outcomeOf(reader);
    if (number === 1) return { result: "hit", length: numberIn(content, 1) };
    if (number === 2) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of listErase`);
  }
}

export class ListLengthOperation extends OneKeyOperation<LookupResponse<{ readonly length: number }>> {
  get kind(): OperationKind {
    return kinds.listLength;
  }
  decode(reader: ProtoReader): LookupResponse<{ readonly length: number }> {
    const { number, content } = outcomeOf(reader);
    if (number === 1) return { result: "hit", length: numberIn(content, 1) };
    if (number === 2) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of listLength`);
  }
}
