import { type CacheErrorCode, codeOfStatus, Status } from "../client/errors.js";
import type { kinds } from "../operations/_generated/operation-kinds.js";

/** Operation of a client: `get`, `dictionarySet` …; `keyExists` counts as `keysExist`, and `subscribe` is a stream. */
export type FakeOperation = Exclude<keyof typeof kinds, "keyExists"> | "subscribe";

/** Error code that a server can return. */
export type FakeCode = Exclude<CacheErrorCode, "ClientOverloaded" | "DecodingFailed">;

/** What is to become of a call. */
export interface FakeFault {
  /** gRPC status; null: it is carried out. */
  readonly status: number | null;
  /** On the fake's clock. */
  readonly delayMs: number;
}

/** Of one operation at most, whatever a test does. */
const mostFaults = 10_000;

const statuses = new Map(Object.values(Status).map((status) => [codeOfStatus(status), status]));
// Of several with one code, the first that comes to mind.
for (const status of [Status.invalidArgument, Status.internal, Status.unknown])
  statuses.set(codeOfStatus(status), status);

/** The gRPC status of a code. A RangeError for what is none that a server answers. */
export function statusOf(code: FakeCode): number {
  const status = statuses.get(code);
  if (status === undefined) throw new RangeError(`no server answers "${code}"`);
  return status;
}

/** What is to become of the next calls of each operation, in their order. */
export class FakeFaults {
  readonly #faults = new Map<FakeOperation, { fault: FakeFault; times: number }[]>();

  add(operation: FakeOperation, fault: FakeFault, times: number): void {
    const faults = this.#faults.get(operation) ?? [];
    if (faults.length === mostFaults) throw new RangeError(`${operation} has its ${mostFaults} faults already`);
    faults.push({ fault, times });
    this.#faults.set(operation, faults);
  }

  /** The next one's; null: nothing happens to it. */
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
