import {
  CacheError,
  type CacheErrorCode,
  codeOfStatus,
  encodingFailure,
  type Failure,
  Status,
} from "../client/errors.js";
import { isError } from "../client/or-throw.js";
import { ErrorResponse } from "../client/responses.js";
import { type TokenSource, tokenHint } from "../configuration/token-source.js";
import type { NearCache } from "../near/near-cache.js";
import { kinds } from "../operations/_generated/operation-kinds.js";
import type { Operation } from "../operations/operation.js";
import type { ClientLog } from "../telemetry/client-log.js";
import type { GuardedHooks } from "../telemetry/guarded-hooks.js";
import type { CallReport, CallStart } from "../telemetry/metrics.js";
import type { Transport } from "../transport/transport.js";
import { AbortWatches } from "./abort-watches.js";
import type { AdaptiveLimiter } from "./adaptive-limiter.js";
import { Call, type CallOwner } from "./call.js";
import type { Clock, ScheduledTask } from "./clock.js";
import { DeadlineQueue } from "./deadline-queue.js";
import type { EventLoopLag } from "./event-loop-lag.js";
import type { InFlightLimiter } from "./in-flight-limiter.js";
import type { RetryPolicy } from "./retry-policy.js";

/** The dependencies of a call runner. */
export interface CallRunnerParts {
  readonly limiter: InFlightLimiter;
  /** Adjusts the limiter's limit; null if the limit is fixed. */
  readonly adaptive?: AdaptiveLimiter | null;
  readonly retryPolicy: RetryPolicy;
  /** Replaced when a host name turns out to stand for several servers. */
  transport: Transport;
  readonly clock: Clock;
  readonly lag: EventLoopLag | null;
  /** The token of the token provider; null if there is no provider. */
  readonly tokens?: TokenSource | null;
  readonly hooks: GuardedHooks;
  /** Logs retries. */
  readonly log?: ClientLog;
  /** The server's endpoint, for reports. */
  readonly endpoint?: string;
  /** Local copies of values that were read; null if no copies are kept. */
  readonly near?: NearCache | null;
}

// A call is normally rejected once, with the token that was current then. It can be rejected again with the token of a
// stream that was opening at that time, which says nothing about a newer token. More rejections mean a misbehaving
// server.
const maxTokenRetries = 4;

/** A wait for the provider's token. It is the call's `handle` in the meantime. */
class TokenWait implements ScheduledTask {
  over = false;

  cancel(): void {
    this.over = true;
  }
}

type Resolve = (response: unknown) => void;

// One executor for all promises avoids a closure per call. It runs inside `new Promise` and stores the resolve
// function.
const resolveNothing: Resolve = () => {};
let lastResolve = resolveNothing;
const captureResolve = (resolve: Resolve) => {
  lastResolve = resolve;
};

/**
 * Runs each call from permit to end: sends and retries, all before one deadline, and exactly one completion. A call
 * takes one permit, keeps it over retries and returns it in `#end`, which runs once per call.
 */
export class CallRunner implements CallOwner {
  hits = 0;
  misses = 0;
  #closed = false;
  readonly #deadlines: DeadlineQueue;
  readonly #near: NearCache | null;
  readonly #aborts = new AbortWatches<Call>((call, signal) => this.#cancelled(call, signal));

  constructor(private readonly parts: CallRunnerParts) {
    this.#deadlines = new DeadlineQueue(parts.clock);
    this.#near = parts.near ?? null;
  }

  /** Returns the number of calls that have not ended. For tests. */
  get pendingCalls(): number {
    return this.#deadlines.size;
  }

  /** Returns the number of abort signals with a listener. For tests. */
  get watchedSignals(): number {
    return this.#aborts.size;
  }

  /**
   * Makes a call. The promise never rejects.
   * @throws Only what the signal's methods throw; in that case no call was started.
   */
  submit<R>(operation: Operation<R>, timeoutMs: number, signal?: AbortSignal): Promise<R | ErrorResponse> {
    if (this.#near !== null) operation.copyKeys();
    const settled = new Promise<unknown>(captureResolve) as Promise<R | ErrorResponse>;
    const call = new Call(this, operation, lastResolve, timeoutMs, this.parts.clock.now() + timeoutMs);
    // Otherwise it would keep the promise alive, and with it the context of the request that made the call.
    lastResolve = resolveNothing;
    const { hooks } = this.parts;
    if (hooks.wantStarts) call.started = hooks.callStarted(this.#startOf(operation));
    if (signal !== undefined && !signal.aborted) call.abort = this.#aborts.add(signal, call);
    this.#start(call, signal);
    return settled;
  }

  #start(call: Call, signal: AbortSignal | undefined): void {
    this.parts.retryPolicy.called();
    if (this.#closed) {
      // No deadline is added, because its timer would keep the process alive.
      this.#end(call, this.#errorResponse(call, "Cancelled", "the client is closed"), true);
      return;
    }
    this.#deadlines.add(call, call.timeoutMs);
    if (signal !== undefined && call.abort === null) {
      this.#cancelled(call, signal);
      return;
    }
    if (this.parts.limiter.tryAcquire()) this.#send(call);
    else if (this.parts.limiter.enqueue(call)) call.state = "queued";
    else
      this.#fail(call, "ClientOverloaded", "the client's queue is full; make fewer calls at once or raise queueLimit");
  }

  admitted(call: Call): void {
    call.queuedUs = Math.round((this.parts.clock.now() - call.startedAt) * 1_000);
    this.#send(call);
  }

  expired(call: Call): void {
    this.#stopAttempt(call);
    if (call.handle instanceof TokenWait) {
      this.#end(
        call,
        this.#errorResponse(call, "Timeout", "the deadline passed before the token provider returned"),
        true,
      );
      return;
    }
    const refused = this.parts.transport.refusal;
    const late =
      call.attempts === 0
        ? "the deadline passed while waiting in the client's queue"
        : "the deadline passed while waiting for the response";
    this.#end(call, this.#errorResponse(call, refused === null ? "Timeout" : "Unavailable", refused ?? late), true);
  }

  answered(call: Call, response: unknown, isNear = false): void {
    if (call.state !== "sent") return;
    this.#end(call, response, false, isNear);
  }

  failed(call: Call, failure: Failure): void {
    if (call.state !== "sent") return;
    call.handle = null;
    const { clock, retryPolicy, transport } = this.parts;
    failure = transport.adjustFailure?.(call, failure) ?? failure;
    const { tokens } = this.parts;
    if (tokens && failure.rejectedTokenVersion !== undefined && canRetryWithNewToken(call, failure, tokens)) {
      call.renewals = (call.renewals ?? 0) + 1;
      this.#awaitToken(call, tokens, failure.rejectedTokenVersion, failure);
      return;
    }
    const delayMs = retryPolicy.decide({
      failure,
      idempotent: call.operation.kind.idempotent,
      attempts: call.attempts,
      remainingMs: call.deadlineAt - clock.now(),
    });
    if (delayMs === null) {
      this.#fail(call, codeOfStatus(failure.status), failure.message, failure.cause);
      return;
    }
    const { kind, cacheName } = call.operation;
    this.parts.log?.retried(kind.name, cacheName, codeOfStatus(failure.status), call.attempts, delayMs);
    call.state = "backingOff";
    call.handle = clock.schedule(() => {
      call.handle = null;
      this.#send(call);
    }, delayMs);
  }

  /** Ends every call with `Cancelled` and accepts no more calls. */
  close(): void {
    this.#closed = true;
    for (const member of this.#deadlines.close()) {
      const call = member as Call;
      this.#stopAttempt(call);
      this.#end(call, this.#errorResponse(call, "Cancelled", "the client was closed"), true);
    }
  }

  #cancelled(call: Call, signal: AbortSignal): void {
    if (call.state === "done") return;
    this.#stopAttempt(call);
    this.#fail(call, "Cancelled", "the caller cancelled the call", signal.reason);
  }

  // Waits for a token newer than `rejectedVersion`, then continues the call. Without a newer token the call fails with
  // `Unauthenticated`; the message has the reasons of `refused` and of the token provider.
  #awaitToken(call: Call, tokens: TokenSource, rejectedVersion: number, refused: Failure | null): void {
    const wait = new TokenWait();
    call.state = "backingOff";
    call.handle = wait;
    void tokens.newerThan(rejectedVersion).then((answer) => {
      if (wait.over) return;
      call.handle = null;
      if (answer.newer) {
        this.#send(call);
        return;
      }
      const { failure } = answer;
      const reasons = [refused?.message, failure?.message].filter((reason) => reason !== undefined);
      this.#fail(call, "Unauthenticated", reasons.join("; "), failure?.cause ?? refused?.cause);
    });
  }

  #send(call: Call): void {
    const { tokens } = this.parts;
    if (tokens && tokens.version === 0) {
      this.#awaitToken(call, tokens, 0, null);
      return;
    }
    call.state = "sent";
    call.attempts++;
    try {
      this.parts.transport.send(call);
    } catch (error) {
      call.handle = null;
      this.failed(call, encodingFailure(error));
    }
  }

  #stopAttempt(call: Call): void {
    if (call.state === "sent") this.parts.transport.abandon(call);
    else if (call.state === "backingOff") (call.handle as ScheduledTask).cancel();
  }

  #fail(call: Call, code: CacheErrorCode, reason: string, cause?: unknown): void {
    this.#end(call, this.#errorResponse(call, code, reason, cause));
  }

  // `unlisted`: the call's deadline has already been removed from the queue.
  #end(call: Call, response: unknown, unlisted = false, isNear = false): void {
    const before = call.state;
    call.state = "done";
    if (this.#near !== null && !isNear) this.#near.ended(call.operation);
    if (!unlisted) this.#deadlines.remove(call, call.timeoutMs);
    if (call.abort !== null) call.abort.remove(call);
    call.resolve(response);
    this.#report(call, response as { readonly result: string });
    if (before === "queued") this.parts.limiter.leave(call);
    else if (before !== "new") {
      this.#adapt(call, response);
      this.parts.limiter.release();
    }
  }

  #adapt(call: Call, response: unknown): void {
    const { adaptive } = this.parts;
    if (adaptive === null || adaptive === undefined) return;
    const grantedAt = call.startedAt + call.queuedUs / 1_000;
    adaptive.ended(grantedAt, this.parts.clock.now(), isError(response));
  }

  #report(call: Call, response: { readonly result: string }): void {
    if (call.operation.kind === kinds.get) this.#countGet(response.result);
    else if (response.result !== "error") this.#countLookups(call, response);
    const { hooks } = this.parts;
    if (!hooks.wantCalls) return;
    const now = this.parts.clock.now();
    const { kind, cacheName, batchSize } = call.operation;
    const { hits, misses } = hitsOf(call, response);
    const report = {
      operation: kind.name,
      cacheName,
      batchSize,
      endpoint: this.parts.endpoint ?? "",
      result: response.result,
      errorCode: isError(response) ? response.error.code : undefined,
      durationMs: now - call.startedAt,
      queueMs: queuedMs(call, now),
      wireMs: now - call.startedAt - queuedMs(call, now),
      attempts: call.attempts,
      hits,
      misses,
    };
    hooks.callEnded(report, call.started);
  }

  #startOf({ kind, cacheName, batchSize }: Operation<unknown>): CallStart {
    return { operation: kind.name, cacheName, batchSize, endpoint: this.parts.endpoint ?? "" };
  }

  #countGet(result: string): void {
    if (result === "hit") this.hits++;
    else if (result === "miss") this.misses++;
  }

  #countLookups(call: Call, response: unknown): void {
    const hits = call.operation.hitsOf(response);
    if (hits === null) return;
    this.hits += hits.hits;
    this.misses += hits.misses;
  }

  #errorResponse(call: Call, code: CacheErrorCode, reason: string, cause?: unknown): ErrorResponse {
    const { clock, limiter, transport, lag } = this.parts;
    const now = clock.now();
    const { keyLengthBytes } = call.operation;
    const facts = [
      ...(keyLengthBytes === 0 ? [] : [`key of ${keyLengthBytes} byte${keyLengthBytes === 1 ? "" : "s"}`]),
      `${(now - call.startedAt).toFixed(1)} ms of ${call.timeoutMs} elapsed`,
      `${queuedMs(call, now).toFixed(1)} ms queued`,
      `${limiter.inFlight}/${limiter.limit} in flight`,
      `${limiter.queued} queued`,
      `${call.attempts} attempt${call.attempts === 1 ? "" : "s"}`,
      // The reason may already say why there is no connection. Do not repeat it.
      transport.describe().replace(` after: ${reason}`, ""),
    ];
    if (lag !== null) facts.push(`event-loop delay up to ${lag.takeLargestMs().toFixed(0)} ms`);
    return new ErrorResponse(
      new CacheError(
        code,
        `${call.operation.kind.name} failed: ${reason}${code === "Unauthenticated" ? tokenHint(this.parts.tokens) : ""} (${facts.join(", ")})`,
        cause,
      ),
    );
  }
}

function hitsOf({ operation }: Call, response: { readonly result: string }): Pick<CallReport, "hits" | "misses"> {
  if (response.result === "error") return none;
  if (operation.kind !== kinds.get) return operation.hitsOf(response) ?? none;
  return response.result === "hit" ? { hits: 1, misses: 0 } : { hits: 0, misses: 1 };
}

const none = { hits: 0, misses: 0 };

// The server rejected the call before any of it ran (AUTH-3), so that any call may be sent again.
function canRetryWithNewToken(
  { renewals = 0 }: Call,
  { status, rejectedTokenVersion = 0 }: Failure,
  tokens: TokenSource,
): boolean {
  if (status !== Status.unauthenticated) return false;
  return renewals === 0 || (renewals < maxTokenRetries && rejectedTokenVersion < tokens.version);
}

// The whole time so far if the call was never sent.
function queuedMs(call: Call, now: number): number {
  return call.attempts === 0 ? now - call.startedAt : call.queuedUs / 1_000;
}
