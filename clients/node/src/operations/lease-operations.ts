import type { Buffer } from "node:buffer";
import { type NotStored, notStored, type Stored, type Success, stored, success } from "../client/responses.js";
import { encodedBytes, writeList } from "../collections/collection-fields.js";
import { kinds } from "./_generated/operation-kinds.js";
import { KeyOperation, type OperationKind } from "./operation.js";
import { ProtoError, type ProtoReader } from "./proto-reader.js";
import { type Bytes, byteLength, fieldLength, type ProtoWriter, varintLength } from "./proto-writer.js";
import { bytesIn, numberIn, outcomeOf } from "./response-fields.js";

/**
 * A value that expired `expiredMs` milliseconds ago. `token` is the token of the lease that the response granted. It is
 * null if another caller has the lease.
 */
export interface StaleValue {
  readonly result: "stale";
  readonly value: Buffer;
  readonly expiredMs: number;
  readonly token: Buffer | null;
  /** The validator that was stored with the value. Empty if there is none. */
  readonly validator: Buffer;
}

/** The response of a GetOrLease. */
export type LeaseResponse =
  | { readonly result: "hit"; readonly value: Buffer }
  | StaleValue
  /** There is no value. The caller has the lease and must load the value. */
  | { readonly result: "lease"; readonly token: Buffer }
  /** There is no value. Another caller is loading it. */
  | { readonly result: "elsewhere" };

/**
 * Requests a value, or a lease to load the value if it is missing. If another caller has the lease, the server responds
 * immediately and does not wait for the value.
 */
export class GetOrLeaseOperation extends KeyOperation<LeaseResponse> {
  get kind(): OperationKind {
    return kinds.getOrLease;
  }

  constructor(
    cacheName: string,
    key: Bytes,
    /** The duration of the lease in whole milliseconds. */
    readonly leaseMs: number,
  ) {
    super(cacheName, key);
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + 1 + varintLength(this.leaseMs);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.byte(16);
    writer.varint(this.leaseMs);
  }
  decode(reader: ProtoReader): LeaseResponse {
    const { number, content } = outcomeOf(reader);
    switch (number) {
      case 1:
        return { result: "hit", value: bytesIn(content, 1) };
      case 2: {
        const token = bytesIn(content, 3);
        const [value, expiredMs, validator] = [bytesIn(content, 1), numberIn(content, 2), bytesIn(content, 4)];
        return { result: "stale", value, expiredMs, token: token.length === 0 ? null : token, validator };
      }
      case 3: {
        const token = bytesIn(content, 1);
        if (token.length === 0) throw new ProtoError("the response grants a lease but contains no token");
        return { result: "lease", token };
      }
      case 4:
        return { result: "elsewhere" };
      default:
        throw new ProtoError(`unknown outcome ${number} in the response of getOrLease`);
    }
  }
}

/** Maximum length of a validator in bytes (STALE-5). */
export const maxValidatorBytes = 1_024;

/** The item that a SetWithLease stores. Its times are in whole milliseconds. */
export interface LeasedItem {
  readonly value: Bytes;
  readonly ttlMs: number;
  /** How long after its expiry the item may be served as stale. */
  readonly staleMs: number;
  /** The token of the lease. Null to store the item unconditionally. */
  readonly token: Buffer | null;
  readonly tags: readonly Bytes[];
  /** Identifies the version of the value at its source. Empty if there is none. */
  readonly validator: Bytes;
}

abstract class LeasedSet<R> extends KeyOperation<R> {
  get kind(): OperationKind {
    return kinds.setWithLease;
  }
  readonly #tags;

  constructor(
    cacheName: string,
    key: Bytes,
    readonly item: LeasedItem,
  ) {
    super(cacheName, key);
    this.#tags = encodedBytes(50, item.tags);
  }
  measure(): number {
    const { value, ttlMs, staleMs, token, validator } = this.item;
    return (
      fieldLength(this.keyLengthBytes) +
      fieldLength(byteLength(value)) +
      1 +
      varintLength(ttlMs) +
      (staleMs === 0 ? 0 : 1 + varintLength(staleMs)) +
      (token === null ? 0 : fieldLength(token.length)) +
      (validator.length === 0 ? 0 : fieldLength(byteLength(validator))) +
      this.#tags.bytes.length
    );
  }
  encode(writer: ProtoWriter): void {
    const { value, ttlMs, staleMs, token, validator } = this.item;
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.bytesField(18, value, byteLength(value));
    writer.byte(24);
    writer.varint(ttlMs);
    if (staleMs !== 0) {
      writer.byte(32);
      writer.varint(staleMs);
    }
    if (token !== null) writer.bytesField(42, token, token.length);
    writeList(writer, this.#tags);
    if (validator.length !== 0) writer.bytesField(58, validator, byteLength(validator));
  }
}

/** Stores the value that the holder of a lease has loaded, unless the key was written after the lease was granted. */
export class SetWithLeaseOperation extends LeasedSet<Stored | NotStored> {
  decode(reader: ProtoReader): Stored | NotStored {
    const { number } = outcomeOf(reader);
    if (number === 1) return stored;
    if (number === 2) return notStored;
    throw new ProtoError(`unknown outcome ${number} in the response of setWithLease`);
  }
}

/** Stores a value with tags. It is sent as a SetWithLease without a lease, which stores unconditionally. */
export class SetWithTagsOperation extends LeasedSet<Success> {
  constructor(cacheName: string, key: Bytes, value: Bytes, ttlMs: number, tags: readonly Bytes[]) {
    super(cacheName, key, { value, ttlMs, staleMs: 0, token: null, tags, validator: "" });
  }
  decode(reader: ProtoReader): Success {
    if (outcomeOf(reader).number === 1) return success;
    throw new ProtoError("the server did not store the value of an unconditional set");
  }
}

/** Releases a lease. */
export class ReleaseLeaseOperation extends KeyOperation<Success> {
  get kind(): OperationKind {
    return kinds.releaseLease;
  }

  constructor(
    cacheName: string,
    key: Bytes,
    readonly token: Buffer,
  ) {
    super(cacheName, key);
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + fieldLength(this.token.length);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.bytesField(18, this.token, this.token.length);
  }
  decode(reader: ProtoReader): Success {
    while (reader.more) reader.skip(reader.varint());
    return success;
  }
}
