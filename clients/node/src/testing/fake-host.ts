import type { Buffer } from "node:buffer";
import { Status } from "../client/errors.js";
import { FakeCaches } from "./fake-caches.js";
import { carryOut } from "./fake-calls.js";
import { FakeFaults, type FakeOperation } from "./fake-faults.js";
import type { FakeLimits } from "./fake-limits.js";
import { ManualClock } from "./manual-clock.js";
import { away, failureOf, Refusal } from "./refusal.js";

/** The state shared by all clients of one fake server. */
export class FakeHost {
  readonly clock = new ManualClock();
  readonly faults = new FakeFaults();
  readonly caches: FakeCaches;
  readonly #counts = new Map<FakeOperation, number>();
  #away = false;

  constructor(limits: FakeLimits) {
    this.caches = new FakeCaches(this.clock, limits);
  }

  get isAway(): boolean {
    return this.#away;
  }

  set isAway(isAway: boolean) {
    this.#away = isAway;
    if (isAway) this.caches.endSubscriptions(failureOf(unavailable()));
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
   * @throws Refusal if the server rejects the call.
   */
  carryOut(path: string, cacheName: string, request: Buffer): Buffer {
    this.requireThere();
    return carryOut(this.caches, path, cacheName, request);
  }

  requireThere(): void {
    if (this.#away) throw unavailable();
  }
}

function unavailable(): Refusal {
  return new Refusal(Status.unavailable, away);
}
