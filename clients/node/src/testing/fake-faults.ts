import { type CacheErrorCode, codeOfStatus, Status } from "../client/errors.js";
import type { kinds } from "../operations/_generated/operation-kinds.js";

/**
 * The name of a client's operation, for example `get` or `dictionarySet`. `keyExists` is counted as `keysExist`.
 * `subscribe` is the stream of a subscription.
 */
export type FakeOperation = Exclude<keyof typeof kinds, "keyExists"> | "subscribe";

/** The error codes that a server can return. */
export type FakeCode = Exclude<CacheErrorCode, "ClientOverloaded" | "DecodingFailed">;

/** The fault to inject into one call. */
export interface FakeFault {
  /** The gRPC status with which the call fails. Null if the call runs normally. */
  readonly status: number | null;
  /** The delay in milliseconds, on the fake server's clock. */
  readonly delayMs: number;
}

/** Maximum number of pending faults per operation. */
const maxFaults = 10_000;

const statuses = new Map(Object.values(Status).map((status) => [codeOfStatus(status), status]));
// Several statuses map to each of these codes. Use the status that servers normally return. For `Unknown`, this is the
// status of a call that the server does not support.
for (const status of [Status.invalidArgument, Status.internal, Status.unimplemented])
  statuses.set(codeOfStatus(status), status);

/**
 * Returns the gRPC status of an error code.
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

  /** Returns the fault for the next call, or null if there is none. A fault is removed after its last use. */
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
