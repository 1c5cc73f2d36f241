import type { Buffer } from "node:buffer";
import type { CallMaker } from "../calls/call-maker.js";
import type { CacheError } from "../client/errors.js";
import type { ErrorResponse } from "../client/responses.js";
import {
  GetOrLeaseOperation,
  type LeasedItem,
  type LeaseResponse,
  ReleaseLeaseOperation,
  SetWithLeaseOperation,
} from "../operations/lease-operations.js";
import type { Operation } from "../operations/operation.js";
import type { Bytes } from "../operations/proto-writer.js";
import { SetOperation } from "../operations/scalar-operations.js";

/** The calls for loading the value of one key with a lease. Each call has the normal timeout of a call. */
export class LeaseCalls {
  constructor(
    private readonly calls: CallMaker,
    readonly cacheName: string,
    private readonly key: Bytes,
    private readonly timeoutMs: number | undefined,
  ) {}

  /**
   * Requests the value or a lease. The caller's signal does not cancel the request, because a lease that is granted in
   * the response would then be lost.
   */
  ask(leaseMs: number): Promise<LeaseResponse | ErrorResponse> {
    return this.#make(new GetOrLeaseOperation(this.cacheName, this.key, leaseMs));
  }

  /**
   * Stores a loaded value. Returns the error, or null. If the lease has already ended, nothing is stored and the result
   * is also null.
   */
  async store(item: LeasedItem, signal: AbortSignal | undefined): Promise<CacheError | null> {
    const answer = await this.#make(new SetWithLeaseOperation(this.cacheName, this.key, item), signal);
    return answer.result === "error" ? answer.error : null;
  }

  /** Stores a value like a plain set. Returns the error, or null. */
  async set(value: Buffer, ttlMs: number, signal: AbortSignal | undefined): Promise<CacheError | null> {
    const answer = await this.#make(new SetOperation(this.cacheName, this.key, value, ttlMs), signal);
    return answer.result === "error" ? answer.error : null;
  }

  /** Releases a lease. If the call fails, the lease ends when its time has passed. */
  async release(token: Buffer): Promise<void> {
    await this.#make(new ReleaseLeaseOperation(this.cacheName, this.key, token));
  }

  #make<R>(operation: Operation<R>, signal?: AbortSignal): Promise<R | ErrorResponse> {
    return this.calls.make(operation, { timeoutMs: this.timeoutMs, signal });
  }
}
