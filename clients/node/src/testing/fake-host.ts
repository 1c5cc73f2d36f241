import type { Buffer } from "node:buffer";
import { Status } from "../client/errors.js";
import { CallRejection, failureOf, stoppedMessage } from "./call-rejection.js";
import { FakeCaches } from "./fake-caches.js";
import { execute } from "./fake-calls.js";
import { FakeFaults, type FakeOperation } from "./fake-faults.js";
import type { FakeLimits } from "./fake-limits.js";
import { ManualClock } from "./manual-clock.js";

/** The state that all clients of one fake server share. */
export class FakeHost {
  readonly clock = new ManualClock();
  readonly faults = new FakeFaults();
  readonly caches: FakeCaches;
  readonly #counts = new Map<FakeOperation, number>();
  #stopped = false;

  constructor(limits: FakeLimits) {
    this.caches = new FakeCaches(this.clock, limits);
  }

  get isStopped(): boolean {
    return this.#stopped;
  }

  set isStopped(isStopped: boolean) {
    this.#stopped = isStopped;
    if (isStopped) this.caches.endSubscriptions(failureOf(unavailable()));
  }

  /** Counts an attempt of an operation. */
  count(operation: FakeOperation): void {
    this.#counts.set(operation, this.counted(operation) + 1);
  }

  counted(operation: FakeOperation): number {
    return this.#counts.get(operation) ?? 0;
  }

  /**
   * Runs a call and returns its response message.
   * @throws CallRejection if the server rejects the call.
   */
  execute(path: string, cacheName: string, request: Buffer): Buffer {
    this.requireRunning();
    return execute(this.caches, path, cacheName, request);
  }

  requireRunning(): void {
    if (this.#stopped) throw unavailable();
  }
}

function unavailable(): CallRejection {
  return new CallRejection(Status.unavailable, stoppedMessage);
}
