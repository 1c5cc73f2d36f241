// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
import { type LookupResponse, miss, type SuccessResponse, success } from "../../client/responses.js";
import type { ScoredElement, Source } from "../../collections/collection-arguments.js";
import {
  boundLength,
  type EncodedList,
  eachSource,
  encodedBytes,
  encodedElements,
  encodedSources,
  indexLength,
  scoreLength,
  ttlLength,
  writeBound,
  writeIndex,
  writeList,
  writeScore,
  writeTtl,
} from "../../collections/collection-fields.js";
import { ScoredElementsHit } from "../../collections/collection-hits.js";
import { branchIn, doubleIn, isHit, scoredIn, scoresIn } from "../../collections/collection-responses.js";
import type { WireTtl } from "../../collections/collection-ttl.js";
import type { ScoreBound } from "../../collections/score-bound.js";
import { KeyOperation, OneKeyOperation, type OperationKind } from "../operation.js";
import { ProtoError, type ProtoReader } from "../proto-reader.js";
import { type Bytes, byteLength, fieldLength, type ProtoWriter, varintLength, zigzag } from "../proto-writer.js";
import { numberIn, outcomeOf } from "../response-fields.js";
import { kinds } from "./operation-kinds.js";

export class SortedSetPutOperation extends KeyOperation<SuccessResponse> {
  readonly #elements: EncodedList;

  constructor(
    cacheName: string,
    key: Bytes,
    elements: readonly ScoredElement[],
    readonly ttl: WireTtl,
  ) {
    super(cacheName, key);
    this.#elements = encodedElements(18, elements);
  }
  get kind(): OperationKind {
    return kinds.sortedSetPut;
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

export class SortedSetFetchByRankOperation extends KeyOperation<LookupResponse<ScoredElementsHit>> {
  constructor(
    cacheName: string,
    key: Bytes,
    readonly order: number,
    readonly start: number | undefined,
    readonly end: number | undefined,
  ) {
    super(cacheName, key);
  }
  get kind(): OperationKind {
    return kinds.sortedSetFetchByRank;
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + 1 + varintLength(this.order) + 2 + fieldLength(this.#byIndexLength());
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.byte(16);
    writer.varint(this.order);
    writer.byte(24);
    writer.byte(1);
    writer.header(34, this.#byIndexLength());
    writeIndex(writer, 16, 10, this.start);
    writeIndex(writer, 32, 26, this.end);
  }
  #byIndexLength(): number {
    return indexLength(this.start) + indexLength(this.end);
  }
  decode(reader: ProtoReader): LookupResponse<ScoredElementsHit> {
    const { number, content } = outcomeOf(reader);
    if (number === 1) return new ScoredElementsHit(scoredIn(branchIn(content, 1), 1));
    if (number === 2) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of sortedSetFetchByRank`);
  }
}

export class SortedSetFetchByScoreOperation extends KeyOperation<LookupResponse<ScoredElementsHit>> {
  constructor(
    cacheName: string,
    key: Bytes,
    readonly order: number,
    readonly min: ScoreBound | undefined,
    readonly max: ScoreBound | undefined,
    readonly offset: number,
    readonly count: number,
  ) {
    super(cacheName, key);
  }
  get kind(): OperationKind {
    return kinds.sortedSetFetchByScore;
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + 1 + varintLength(this.order) + 2 + fieldLength(this.#byScoreLength());
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.byte(16);
    writer.varint(this.order);
    writer.byte(24);
    writer.byte(1);
    writer.header(42, this.#byScoreLength());
    writeBound(writer, 18, 10, this.min);
    writeBound(writer, 34, 26, this.max);
    writer.byte(40);
    writer.varint(this.offset);
    writer.byte(48);
    writer.varint(zigzag(this.count));
  }
  #byScoreLength(): number {
    return (
      boundLength(this.min) +
      boundLength(this.max) +
      1 +
      varintLength(this.offset) +
      1 +
      varintLength(zigzag(this.count))
    );
  }
  decode(reader: ProtoReader): LookupResponse<ScoredElementsHit> {
    const { number, content } = outcomeOf(reader);
    if (number === 1) return new ScoredElementsHit(scoredIn(branchIn(content, 1), 1));
    if (number === 2) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of sortedSetFetchByScore`);
  }
}

export class SortedSetGetScoreOperation extends KeyOperation<LookupResponse<{ readonly scores: readonly (number | null)[] }>> {
  readonly #elements: EncodedList;

  constructor(cacheName: string, key: Bytes, elements: readonly Bytes[]) {
    super(cacheName, key);
    this.#elements = encodedBytes(18, elements);
  }
  get kind(): OperationKind {
    return kinds.sortedSetGetScore;
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + this.#elements.bytes.length;
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writeList(writer, this.#elements);
  }
  decode(reader: ProtoReader): LookupResponse<{ readonly scores: readonly (number | null)[] }> {
    const { number, content } = outcomeOf(reader);
    if (number === 1) return { result: "hit", scores: scoresIn(content, 1, this.#elements.count) };
    if (number === 2) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of sortedSetGetScore`);
  }
}

export class SortedSetGetRankOperation extends KeyOperation<LookupResponse<{ readonly rank: number }>> {
  readonly #elementBytes: number;

  constructor(
    cacheName: string,
    key: Bytes,
    readonly element: Bytes,
    readonly order: number,
  ) {
    super(cacheName, key);
    this.#elementBytes = byteLength(element);
  }
  get kind(): OperationKind {
    return kinds.sortedSetGetRank;
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + fieldLength(this.#elementBytes) + 1 + varintLength(this.order);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.bytesField(18, this.element, this.#elementBytes);
    writer.byte(24);
    writer.varint(this.order);
  }
  decode(reader: ProtoReader): LookupResponse<{ readonly rank: number }> {
    const { number, content } = outcomeOf(reader);
    if (number === 1) return isHit(content, 1) ? { result: "hit", rank: numberIn(content, 2) } : miss;
    if (number === 2) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of sortedSetGetRank`);
  }
}

export class SortedSetIncrementOperation extends KeyOperation<SuccessResponse<{ readonly score: number }>> {
  readonly #elementBytes: number;

  constructor(
    cacheName: string,
    key: Bytes,
    readonly element: Bytes,
    readonly amount: number,
    readonly ttl: WireTtl,
  ) {
    super(cacheName, key);
    this.#elementBytes = byteLength(element);
  }
  get kind(): OperationKind {
    return kinds.sortedSetIncrement;
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + fieldLength(this.#elementBytes) + 9 + ttlLength(this.ttl);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.bytesField(18, this.element, this.#elementBytes);
    writer.byte(25);
    writer.double(this.amount);
    writeTtl(writer, 32, 40, this.ttl);
  }
  decode(reader: ProtoReader): SuccessResponse<{ readonly score: number }> {
    return { result: "success", score: doubleIn(reader, 1) };
  }
}

export class SortedSetRemoveOperation extends KeyOperation<SuccessResponse> {
  readonly #elements: EncodedList;

  constructor(cacheName: string, key: Bytes, elements: readonly Bytes[]) {
    super(cacheName, key);
    this.#elements = encodedBytes(10, elements);
  }
  get kind(): OperationKind {
    return kinds.sortedSetRemove;
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + fieldLength(this.#elements.bytes.length);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.header(26, this.#elements.bytes.length);
    writeList(writer, this.#elements);
  }
  decode(): SuccessResponse {
    return success;
  }
}

export class SortedSetLengthOperation extends OneKeyOperation<LookupResponse<{ readonly length: number }>> {
  get kind(): OperationKind {
    return kinds.sortedSetLength;
  }
  decode(reader: ProtoReader): LookupResponse<{ readonly length: number }> {
    const { number, content } = outcomeOf(reader);
    if (number === 1) return { result: "hit", length: numberIn(content, 1) };
    if (number === 2) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of sortedSetLength`);
  }
}

export class SortedSetLengthByScoreOperation extends KeyOperation<LookupResponse<{ readonly length: number }>> {
  constructor(
    cacheName: string,
    key: Bytes,
    readonly min: ScoreBound | undefined,
    readonly max: ScoreBound | undefined,
  ) {
    super(cacheName, key);
  }
  get kind(): OperationKind {
    return kinds.sortedSetLengthByScore;
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + scoreLength(this.min) + scoreLength(this.max);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writeScore(writer, 17, 25, 34, this.min);
    writeScore(writer, 41, 49, 58, this.max);
  }
  decode(reader: ProtoReader): LookupResponse<{ readonly length: number }> {
    const { number, content } = outcomeOf(reader);
    if (number === 1) return { result: "hit", length: numberIn(content, 1) };
    if (number === 2) return miss;
    throw new ProtoError(`unknown outcome ${number} in the response of sortedSetLengthByScore`);
  }
}

export class SortedSetUnionStoreOperation extends KeyOperation<SuccessResponse<{ readonly length: number }>> {
  readonly #sources: EncodedList;

  constructor(
    cacheName: string,
    key: Bytes,
    sources: readonly Source[],
    readonly aggregate: number,
    readonly ttlMs: number,
  ) {
    super(cacheName, key);
    this.#sources = encodedSources(18, sources);
  }
  get kind(): OperationKind {
    return kinds.sortedSetUnionStore;
  }
  measure(): number {
    return (
      fieldLength(this.keyLengthBytes) +
      this.#sources.bytes.length +
      1 +
      varintLength(this.aggregate) +
      1 +
      varintLength(this.ttlMs)
    );
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writeList(writer, this.#sources);
    writer.byte(24);
    writer.varint(this.aggregate);
    writer.byte(32);
    writer.varint(this.ttlMs);
  }
  override eachKey(tell: (key: Bytes) => void): void {
    super.eachKey(tell);
    eachSource(this.#sources, tell);
  }
  decode(reader: ProtoReader): SuccessResponse<{ readonly length: number }> {
    return { result: "success", length: numberIn(reader, 1) };
  }
}
