// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
import { type LookupResponse, miss, type SuccessResponse, success } from "../../client/responses.js";
import { type EncodedList, encodedBytes, ttlLength, writeList, writeTtl } from "../../collections/collection-fields.js";
import { ElementsHit } from "../../collections/collection-hits.js";
import { flagsIn, listIn } from "../../collections/collection-responses.js";
import type { WireTtl } from "../../collections/collection-ttl.js";
import { KeyOperation, OneKeyOperation, type OperationKind } from "../operation.js";
import { ProtoError, type ProtoReader } from "../proto-reader.js";
import { type Bytes, fieldLength, type ProtoWriter, varintLength } from "../proto-writer.js";
import { numberIn, outcomeOf } from "../response-fields.js";
import { kinds } from "./operation-kinds.js";

export class SetFetchOperation extends OneKeyOperation<LookupResponse<ElementsHit>> {
  get kind(): OperationKind {
    return kinds.setFetch;
  }
  decode(reader: ProtoReader): LookupResponse<ElementsHit> {
    const { number, content } = outcomeOf(reader);
    if (number === 1) return new ElementsHit(listIn(content, 1));
    if (number === 2) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of setFetch`);
  }
}

export class SetSampleOperation extends KeyOperation<LookupResponse<ElementsHit>> {
  constructor(
    cacheName: string,
    key: Bytes,
    readonly limit: number,
  ) {
    super(cacheName, key);
  }
  get kind(): OperationKind {
    return kinds.setSample;
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + 1 + varintLength(this.limit);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.byte(16);
    writer.varint(this.limit);
  }
  decode(reader: ProtoReader): LookupResponse<ElementsHit> {
    const { number, content } = outcomeOf(reader);
    if (number === 1) return new ElementsHit(listIn(content, 1));
    if (number === 2) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of setSample`);
  }
}

export class SetUnionOperation extends KeyOperation<SuccessResponse> {
  readonly #elements: EncodedList;

  constructor(
    cacheName: string,
    key: Bytes,
    elements: readonly Bytes[],
    readonly ttl: WireTtl,
  ) {
    super(cacheName, key);
    this.#elements = encodedBytes(18, elements);
  }
  get kind(): OperationKind {
    return kinds.setUnion;
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + this.#elements.bytes.length + ttlLength(this.ttl);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writeList(writer, this.#elements);
    writeTtl(writer, 24, 32, this.ttl);
  }
  decode(): SuccessResponse {
    return success;
  }
}

export class SetDifferenceOperation extends KeyOperation<LookupResponse> {
  readonly #elements: EncodedList;

  constructor(cacheName: string, key: Bytes, elements: readonly Bytes[]) {
    super(cacheName, key);
    this.#elements = encodedBytes(10, elements);
  }
  get kind(): OperationKind {
    return kinds.setDifference;
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + fieldLength(fieldLength(this.#elements.bytes.length));
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.header(26, fieldLength(this.#elements.bytes.length));
    writer.header(10, this.#elements.bytes.length);
    writeList(writer, this.#elements);
  }
  decode(reader: ProtoReader): LookupResponse {
    const { number } = outcomeOf(reader);
    if (number === 1) return { result: "hit" };
    if (number === 2) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of setDifference`);
  }
}

export class SetDifferenceFromOperation extends KeyOperation<LookupResponse> {
  readonly #elements: EncodedList;

  constructor(cacheName: string, key: Bytes, elements: readonly Bytes[]) {
    super(cacheName, key);
    this.#elements = encodedBytes(10, elements);
  }
  get kind(): OperationKind {
    return kinds.setDifferenceFrom;
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + fieldLength(this.#elements.bytes.length);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.header(18, this.#elements.bytes.length);
    writeList(writer, this.#elements);
  }
  decode(reader: ProtoReader): LookupResponse {
    const { number } = outcomeOf(reader);
    if (number === 1) return { result: "hit" };
    if (number === 2) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of setDifferenceFrom`);
  }
}

export class SetContainsOperation extends KeyOperation<LookupResponse<{ readonly contains: readonly boolean[] }>> {
  readonly #elements: EncodedList;

  constructor(cacheName: string, key: Bytes, elements: readonly Bytes[]) {
    super(cacheName, key);
    this.#elements = encodedBytes(18, elements);
  }
  get kind(): OperationKind {
    return kinds.setContains;
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + this.#elements.bytes.length;
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writeList(writer, this.#elements);
  }
  decode(reader: ProtoReader): LookupResponse<{ readonly contains: readonly boolean[] }> {
    const { number, content } = outcomeOf(reader);
    if (number === 1) return { result: "hit", contains: flagsIn(content, 1, this.#elements.count) };
    if (number === 2) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of setContains`);
  }
}

export class SetLengthOperation extends OneKeyOperation<LookupResponse<{ readonly length: number }>> {
  get kind(): OperationKind {
    return kinds.setLength;
  }
  decode(reader: ProtoReader): LookupResponse<{ readonly length: number }> {
    const { number, content } = outcomeOf(reader);
    if (number === 1) return { result: "hit", length: numberIn(content, 1) };
    if (number === 2) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of setLength`);
  }
}

export class SetPopOperation extends KeyOperation<LookupResponse<ElementsHit>> {
  constructor(
    cacheName: string,
    key: Bytes,
    readonly count: number,
  ) {
    super(cacheName, key);
  }
  get kind(): OperationKind {
    return kinds.setPop;
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + 1 + varintLength(this.count);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.byte(16);
    writer.varint(this.count);
  }
  decode(reader: ProtoReader): LookupResponse<ElementsHit> {
    const { number, content } = outcomeOf(reader);
    if (number === 1) return new ElementsHit(listIn(content, 1));
    if (number === 2) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of setPop`);
  }
}
