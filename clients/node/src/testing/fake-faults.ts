import { type CacheErrorCode, codeOfStatus, Status } from "../client/errors.js";
import type { kinds } from "../operations/_generated/operation-kinds.js";

/**
 * Operation of a client: `get`, `dictionarySet` …; `keyExists` is counted as `keysExist`, and `subscribe` is a stream.
 */
export type FakeOperation = Exclude<keyof typeof kinds, "keyExists"> | "subscribe";

/** Error code that a server can return. */
export type FakeCode = Exclude<CacheErrorCode, "ClientOverloaded" | "DecodingFailed">;

/** The fault of a call. */
export interface FakeFault {
  /** gRPC status; null if the call runs normally. */
  readonly status: number | null;
  /** Delay in milliseconds on the fake's clock. */
  readonly delayMs: number;
}

/** Maximum number of pending faults per operation. */
const maxFaults = 10_000;

const statuses = new Map(Object.values(Status).map((status) => [codeOfStatus(status), status]));
// Several statuses map to one of these codes. Use the usual one.
for (const status of [Status.invalidArgument, Status.internal, Status.unknown])
  statuses.set(codeOfStatus(status), status);

/**
 * Returns the gRPC status of a code.
 * @throws RangeError if a server never returns the code.
 */
export function statusOf(code: FakeCode): number {
  const status = statuses.get(code);
  if (status === undefined) throw new RangeError(`code must be an error code that a server can return, not "${code}"`);
  return status;
}

/** The faults of the next calls of each operation, in order. */
export class FakeFaults {
  readonly #faults = new Map<FakeOperation, { fault: FakeFault; times: number }[]>();

  add(operation: FakeOperation, fault: FakeFault, times: number): void {
    const faults = this.#faults.get(operation) ?? [];
    if (faults.length === maxFaults)
      throw new RangeError(`${operation} already has the maximum of ${maxFaults} faults`);
    faults.push({ fault, times });
    this.#faults.set(operation, faults);
  }

  /** Returns and consumes the fault of the next call; null if there is none. */
  take(operation: FakeOperation): FakeFault | null {
    const faults = this.#faults.get(operation);
    const first = faults?.[0];
    if (faults === undefined || first === undefined) return null;
    if (--first.times === 0) faults.shift();
    return first.fault;
  }

  clear(): void {
    this.#faults.clear();
  }
}
