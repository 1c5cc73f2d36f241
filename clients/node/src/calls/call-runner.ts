import {
  CacheError,
  type CacheErrorCode,
  codeOfStatus,
  encodingFailure,
  type Failure,
  markUnsupported,
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

/** The objects that a call runner depends on. */
export interface CallRunnerParts {
  readonly limiter: InFlightLimiter;
  /** Adjusts the limiter's limit. Null if the limit is fixed. */
  readonly adaptive?: AdaptiveLimiter | null;
  readonly retryPolicy: RetryPolicy;
  /** The transport. It is replaced when the client finds that a host name has several servers. */
  transport: Transport;
  readonly clock: Clock;
  readonly lag: EventLoopLag | null;
  /** The source of tokens from the token provider. Null if there is no provider. */
  readonly tokens?: TokenSource | null;
  readonly hooks: GuardedHooks;
  /** Logs retries. */
  readonly log?: ClientLog;
  /** The server's endpoint, which hooks receive. */
  readonly endpoint?: string;
  /** The local copies of values. Null if there is no near cache. */
  readonly near?: NearCache | null;
}

// A call is normally rejected once, with the token that was current at that time. A stream that was opening at that
// time still has the old token, so the call can be rejected a second time. More rejections mean that the server
// misbehaves.
const maxTokenRetries = 4;

/** A wait for the provider's token. During the wait, this object is the call's `handle`. */
class TokenWait implements ScheduledTask {
  over = false;

  cancel(): void {
    this.over = true;
  }
}

type Resolve = (response: unknown) => void;

// One executor for all promises avoids a closure per call. `new Promise` calls the executor synchronously, and the
// executor stores the resolve function.
const resolveNothing: Resolve = () => {};
let lastResolve = resolveNothing;
const captureResolve = (resolve: Resolve) => {
  lastResolve = resolve;
};

/**
 * Runs each call from its permit to its end: sends it, retries it until its deadline, and completes it exactly once.
 * A call takes one permit, keeps the permit during retries and returns the permit in `#end`. `#end` runs once per call.
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

  /** Returns the number of calls that have not ended. Used by tests. */
  get pendingCalls(): number {
    return this.#deadlines.size;
  }

  /** Returns the number of abort signals that have a listener. Used by tests. */
  get watchedSignals(): number {
    return this.#aborts.size;
  }

  /**
   * Makes a call. The promise never rejects.
   * @throws Only exceptions that the signal's own methods throw. In that case, no call was started.
   */
  submit<R>(operation: Operation<R>, timeoutMs: number, signal?: AbortSignal): Promise<R | ErrorResponse> {
    if (this.#near !== null) operation.copyKeys();
    const settled = new Promise<unknown>(captureResolve) as Promise<R | ErrorResponse>;
    const call = new Call(this, operation, lastResolve, timeoutMs, this.parts.clock.now() + timeoutMs);
    // Reset `lastResolve`. It would keep the promise alive, and with the promise the context of the request that made
    // the call.
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
      // Do not add a deadline, because its timer would keep the process alive.
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
      this.#fail(
        call,
        "ClientOverloaded",
        "the client's queue is full; make fewer concurrent calls or raise queueLimit",
      );
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
      const response = this.#errorResponse(call, codeOfStatus(failure.status), failure.message, failure.cause);
      if (failure.status === Status.unimplemented) markUnsupported(response.error);
      this.#end(call, response);
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

  // Waits for a token newer than `rejectedVersion`, then continues the call. If there is no newer token, the call fails
  // with `Unauthenticated`. The error message contains the message of `refused` and the failure of the token provider.
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

  // Ends a call with its response. `unlisted` is true if the call's deadline has already been removed from the queue.
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
      // The transport's description may end with the same reason. Do not repeat the reason.
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

// Returns whether a rejected call may be sent again with a newer token. Even a call that is not idempotent may be sent
// again, because the server rejected it before any of it ran (AUTH-3).
function canRetryWithNewToken(
  { renewals = 0 }: Call,
  { status, rejectedTokenVersion = 0 }: Failure,
  tokens: TokenSource,
): boolean {
  if (status !== Status.unauthenticated) return false;
  return renewals === 0 || (renewals < maxTokenRetries && rejectedTokenVersion < tokens.version);
}

// Returns the time that a call waited before its first attempt. If the call was never sent, that is the whole time so
// far.
function queuedMs(call: Call, now: number): number {
  return call.attempts === 0 ? now - call.startedAt : call.queuedUs / 1_000;
}
