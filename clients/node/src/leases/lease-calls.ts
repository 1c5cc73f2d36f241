import type { Buffer } from "node:buffer";
import type { CallMaker } from "../calls/call-maker.js";
import type { CacheError } from "../client/errors.js";
import type { ErrorResponse } from "../client/responses.js";
import {
  GetOrLeaseOperation,
  type LeaseAnswer,
  type LeasedItem,
  ReleaseLeaseOperation,
  SetWithLeaseOperation,
} from "../operations/lease-operations.js";
import type { Operation } from "../operations/operation.js";
import type { Bytes } from "../operations/proto-writer.js";
import { SetOperation } from "../operations/scalar-operations.js";

/** The calls by which one key's value is made, each under the deadline of a call. */
export class LeaseCalls {
  constructor(
    private readonly calls: CallMaker,
    readonly cacheName: string,
    private readonly key: Bytes,
    private readonly timeoutMs: number | undefined,
  ) {}

  /** Not ended by a signal: the lease that its answer may have would be held by nobody. */
  ask(leaseMs: number): Promise<LeaseAnswer | ErrorResponse> {
    return this.#make(new GetOrLeaseOperation(this.cacheName, this.key, leaseMs));
  }

  /** Stores what was made; null where that did not fail, also where the lease was over. */
  async store(item: LeasedItem, signal: AbortSignal | undefined): Promise<CacheError | null> {
    const answer = await this.#make(new SetWithLeaseOperation(this.cacheName, this.key, item), signal);
    return answer.result === "error" ? answer.error : null;
  }

  /** As a plain set does; null where that did not fail. */
  async set(value: Buffer, ttlMs: number, signal: AbortSignal | undefined): Promise<CacheError | null> {
    const answer = await this.#make(new SetOperation(this.cacheName, this.key, value, ttlMs), signal);
    return answer.result === "error" ? answer.error : null;
  }

  /** Gives a lease back; where that fails it ends by itself. */
  async release(token: Buffer): Promise<void> {
    await this.#make(new ReleaseLeaseOperation(this.cacheName, this.key, token));
  }

  #make<R>(operation: Operation<R>, signal?: AbortSignal): Promise<R | ErrorResponse> {
    return this.calls.make(operation, { timeoutMs: this.timeoutMs, signal });
  }
}
