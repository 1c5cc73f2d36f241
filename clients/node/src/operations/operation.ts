import type { ProtoReader } from "./proto-reader.js";
import { type Bytes, byteLength, copyBytes, fieldLength, type ProtoWriter } from "./proto-writer.js";

/** The properties that all operations of one kind have in common. */
export interface OperationKind {
  /** The name of the operation in the API and in error messages. */
  readonly name: string;
  /** The path of the RPC: `/<package>.<Service>/<Rpc>`. */
  readonly path: string;
  /** Field number in `larder.v1.Operation` and `Result`. 0 if the operation is always sent as a unary call. */
  readonly field: number;
  /** Whether the operation may be sent again after an ambiguous failure (RETRY-1). */
  readonly idempotent: boolean;
  /** Whether the response of the unary form is a stream with one message per item. */
  readonly serverStream: boolean;
}

/** One request, with the code that encodes it and decodes its response. `R` is the type of the response. */
export abstract class Operation<R> {
  // These are accessors instead of fields. Thousands of operations may wait for a permit at the same time, and every
  // scavenge of the garbage collector copies their fields (bench/results, ADR-0006).
  abstract get kind(): OperationKind;

  constructor(
    /** The cache's name. Empty for control calls. */
    readonly cacheName: string,
    /** Length in bytes of the operation's key, of its first key, or of a scan's prefix. 0 if it has none of these. */
    readonly keyLengthBytes: number,
  ) {}

  /** Returns the length in bytes of the request message. */
  abstract measure(): number;

  /** Writes the request message. */
  abstract encode(writer: ProtoWriter): void;

  /**
   * Reads the response message. The message ends where the reader ends.
   * @throws ProtoError for invalid bytes.
   */
  abstract decode(reader: ProtoReader): R;

  /** Returns the number of keys or items of a batch. Returns 1 if the operation is not a batch. */
  get batchSize(): number {
    return 1;
  }

  /** Calls `tell` once for each key of the operation, or never if the operation has no key (NEAR-22). */
  eachKey(_tell: (key: Bytes) => void): void {}

  /** Copies the keys of the operation. Later changes by the caller then affect neither the request nor `eachKey`. */
  copyKeys(): void {}

  /**
   * Returns the number of hits and the number of misses in a response. Returns null if the operation is not a lookup.
   * Not used for single gets.
   */
  hitsOf(_response: unknown): { readonly hits: number; readonly misses: number } | null {
    return null;
  }
}

/** An operation on one key. The key is field 1 of the request. */
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

/** An operation whose request contains only a key. */
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

/** Returns a frozen `OperationKind`. */
export function operationKind(
  name: string,
  path: string,
  field: number,
  traits: { readonly idempotent: boolean; readonly serverStream: boolean },
): OperationKind {
  return Object.freeze({ name, path, field, ...traits });
}
