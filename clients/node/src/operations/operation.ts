import type { ProtoReader } from "./proto-reader.js";
import { type Bytes, byteLength, copyBytes, fieldLength, type ProtoWriter } from "./proto-writer.js";

/** The properties shared by all operations of one kind. */
export interface OperationKind {
  /** The name in the API and in error messages. */
  readonly name: string;
  /** `/<package>.<Service>/<Rpc>`. */
  readonly path: string;
  /** Field number in `larder.v1.Operation` and `Result`; 0 if the call is always unary. */
  readonly field: number;
  /** Whether the operation may be sent again after an ambiguous failure (RETRY-1). */
  readonly idempotent: boolean;
  /** Whether the unary form returns a stream of messages, one per item. */
  readonly serverStream: boolean;
}

/** One request with its codec. `R` is the type of its response. */
export abstract class Operation<R> {
  // Accessors instead of fields: thousands of operations may wait for a permit at once, and every scavenge of the
  // garbage collector copies their fields (bench/results, ADR-0006).
  abstract get kind(): OperationKind;

  constructor(
    /** The cache's name; empty for control calls. */
    readonly cacheName: string,
    /** Length of its (first) key in bytes, for error messages. */
    readonly keyLengthBytes: number,
  ) {}

  /** Returns the length in bytes of the request message. */
  abstract measure(): number;

  /** Writes the request message. */
  abstract encode(writer: ProtoWriter): void;

  /**
   * Reads the response message, to the reader's end.
   * @throws ProtoError for invalid bytes.
   */
  abstract decode(reader: ProtoReader): R;

  /** Returns the number of keys or items of a batch; 1 if it is not a batch. */
  get batchSize(): number {
    return 1;
  }

  /** Calls `tell` with each of its keys (NEAR-22). */
  eachKey(_tell: (key: Bytes) => void): void {}

  /** Copies its keys, so that later changes by the caller affect neither what is sent nor `eachKey`. */
  copyKeys(): void {}

  /** Returns the hits and misses of a response other than a single get; null if it is not a lookup. */
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
  override copyKeys(): void {
    this.key = copyBytes(this.key);
  }
}

/** An operation whose request contains only its key. */
export abstract class OneKeyOperation<R> extends KeyOperation<R> {
  measure(): number {
    return fieldLength(this.keyLengthBytes);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
  }
}

/** A control call whose request contains only a cache's name. */
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

/** An operation with an empty request. */
export abstract class EmptyOperation<R> extends Operation<R> {
  constructor() {
    super("", 0);
  }
  measure(): number {
    return 0;
  }
  encode(): void {}
}

/** Returns an operation kind. */
export function operationKind(
  name: string,
  path: string,
  field: number,
  traits: { readonly idempotent: boolean; readonly serverStream: boolean },
): OperationKind {
  return Object.freeze({ name, path, field, ...traits });
}
