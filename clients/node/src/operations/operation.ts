import type { ProtoReader } from "./proto-reader.js";
import { type Bytes, byteLength, fieldLength, ownBytes, type ProtoWriter } from "./proto-writer.js";

/** What all operations of one kind have in common. */
export interface OperationKind {
  /** As callers and error texts name it. */
  readonly name: string;
  /** `/<package>.<Service>/<Rpc>`. */
  readonly path: string;
  /** Field number in `larder.v1.Operation` and `Result`; 0 where the call is always unary. */
  readonly field: number;
  /** Whether it may be sent again after an ambiguous failure (RETRY-1). */
  readonly idempotent: boolean;
  /** Whether the unary form answers by a stream of messages, one for each item. */
  readonly serverStream: boolean;
}

/** One request, with its own codec: `R` is what its answer becomes. */
export abstract class Operation<R> {
  // Accessors, not fields: thousands of operations may wait for the cap at once, and what they hold is copied by each
  // scavenge of the collector (bench/results, ADR-0006).
  abstract get kind(): OperationKind;

  constructor(
    /** The cache it is for; empty for control calls. */
    readonly cacheName: string,
    /** Length of its key in bytes, for error texts; of the first of many. */
    readonly keyLengthBytes: number,
  ) {}

  /** The length in bytes of the request message. */
  abstract measure(): number;

  /** Writes the request message. */
  abstract encode(writer: ProtoWriter): void;

  /** Reads the response message, to the reader's end. Throws `ProtoError` on bytes that are not one. */
  abstract decode(reader: ProtoReader): R;

  /** Keys or items of a batch; 1 of what is none. */
  get batchSize(): number {
    return 1;
  }

  /** Tells each key that it names (NEAR-22). */
  eachKey(_tell: (key: Bytes) => void): void {}

  /** Makes its keys its own: what its caller does to their bytes from here on changes neither what is sent nor `eachKey`. */
  ownKeys(): void {}

  /** What a response that is no single hit or miss counts as; null: as no look-up. */
  hitsOf(_response: unknown): { readonly hits: number; readonly misses: number } | null {
    return null;
  }
}

/** An operation on one key, which is field 1 of its request. */
export abstract class KeyOperation<R> extends Operation<R> {
  constructor(
    cacheName: string,
    public key: Bytes,
  ) {
    super(cacheName, byteLength(key));
  }
  override eachKey(tell: (key: Bytes) => void): void {
    tell(this.key);
  }
  override ownKeys(): void {
    this.key = ownBytes(this.key);
  }
}

/** An operation whose request is its key alone. */
export abstract class OneKeyOperation<R> extends KeyOperation<R> {
  measure(): number {
    return fieldLength(this.keyLengthBytes);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
  }
}

/** A control call: its request is a cache's name alone. */
export abstract class CacheNameOperation<R> extends Operation<R> {
  constructor(readonly name: string) {
    super("", 0);
  }
  measure(): number {
    return fieldLength(byteLength(this.name));
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.name, byteLength(this.name));
  }
}

/** An operation whose request says nothing. */
export abstract class EmptyOperation<R> extends Operation<R> {
  constructor() {
    super("", 0);
  }
  measure(): number {
    return 0;
  }
  encode(): void {}
}

/** What all calls of one operation have in common. */
export function operationKind(
  name: string,
  path: string,
  field: number,
  traits: { readonly idempotent: boolean; readonly serverStream: boolean },
): OperationKind {
  return Object.freeze({ name, path, field, ...traits });
}
