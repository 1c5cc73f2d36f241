import { CacheError, type CacheErrorCode, codeOfStatus, type Failure, Status, unsendable } from "../client/errors.js";
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

/** What a call runner works with. */
export interface CallRunnerParts {
  readonly limiter: InFlightLimiter;
  /** Moves the limiter's limit; null: it stays. */
  readonly adaptive?: AdaptiveLimiter | null;
  readonly retryPolicy: RetryPolicy;
  /** Another, once a name turns out to stand for several servers. */
  transport: Transport;
  readonly clock: Clock;
  readonly lag: EventLoopLag | null;
  /** The provider's token; null: there is no provider. */
  readonly tokens?: TokenSource | null;
  readonly hooks: GuardedHooks;
  /** Is told of retries. */
  readonly log?: ClientLog;
  /** Where calls go, for reports. */
  readonly endpoint?: string;
  /** Copies of what gets have read; null: none are kept. */
  readonly near?: NearCache | null;
}

// A call is refused once with the token of its time. It may be refused again with that of a stream that was being opened
// meanwhile, which says nothing of the newer one; more often than that is a server's whim.
const mostRenewals = 4;

/** A wait for the provider's token: a call's `handle` meanwhile. */
class TokenWait implements ScheduledTask {
  over = false;

  cancel(): void {
    this.over = true;
  }
}

type Settle = (response: unknown) => void;

// One executor for every promise, instead of a closure for each: it runs within `new Promise`, which hands its function on.
const settleNothing: Settle = () => {};
let settleOfLast = settleNothing;
const keepSettle = (resolve: Settle) => {
  settleOfLast = resolve;
};

/**
 * Takes each call through its life: a permit, sends and retries, all before the one deadline, and exactly one end.
 * The permit is taken once, kept over retries and returned by `#end`, which runs once for each call.
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

  /** Calls that have not ended, for tests. */
  get callsUnderWay(): number {
    return this.#deadlines.size;
  }

  /** Signals that are listened to, for tests. */
  get signalsWatched(): number {
    return this.#aborts.size;
  }

  /** Makes a call. Throws nothing but what a signal throws, and then nothing was begun; the promise is never rejected. */
  submit<R>(operation: Operation<R>, timeoutMs: number, signal?: AbortSignal): Promise<R | ErrorResponse> {
    if (this.#near !== null) operation.ownKeys();
    const settled = new Promise<unknown>(keepSettle) as Promise<R | ErrorResponse>;
    const call = new Call(this, operation, settleOfLast, timeoutMs, this.parts.clock.now() + timeoutMs);
    // It would keep the promise, and with it the context of the request that made the call.
    settleOfLast = settleNothing;
    const { hooks } = this.parts;
    if (hooks.wantStarts) call.started = hooks.callStarted(this.#startOf(operation));
    if (signal !== undefined && !signal.aborted) call.abort = this.#aborts.add(signal, call);
    this.#start(call, signal);
    return settled;
  }

  #start(call: Call, signal: AbortSignal | undefined): void {
    this.parts.retryPolicy.called();
    if (this.#closed) {
      // Without a deadline, whose timer would keep the process.
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
    else this.#fail(call, "ClientOverloaded", "the client's queue is full");
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
        this.#errorResponse(call, "Timeout", "its deadline passed before the token provider answered"),
        true,
      );
      return;
    }
    const refused = this.parts.transport.refusal;
    const late = call.attempts === 0 ? "its deadline passed in the queue" : "no answer before its deadline";
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
    failure = transport.judged?.(call, failure) ?? failure;
    const { tokens } = this.parts;
    if (tokens && failure.shown !== undefined && mayRenew(call, failure, tokens)) {
      call.renewals = (call.renewals ?? 0) + 1;
      this.#awaitToken(call, tokens, failure.shown, failure);
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

  /** Ends every call with `Cancelled` and takes no more. */
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
    this.#fail(call, "Cancelled", "the caller cancelled it", signal.reason);
  }

  // Goes on with another token than number `shown`, and fails where there is none: as `refused`, where there was one.
  #awaitToken(call: Call, tokens: TokenSource, shown: number, refused: Failure | null): void {
    const wait = new TokenWait();
    call.state = "backingOff";
    call.handle = wait;
    void tokens.newerThan(shown).then((answer) => {
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
      this.failed(call, unsendable(error));
    }
  }

  #stopAttempt(call: Call): void {
    if (call.state === "sent") this.parts.transport.abandon(call);
    else if (call.state === "backingOff") (call.handle as ScheduledTask).cancel();
  }

  #fail(call: Call, code: CacheErrorCode, reason: string, cause?: unknown): void {
    this.#end(call, this.#errorResponse(call, code, reason, cause));
  }

  // `unlisted`: its deadline is listed no more.
  #end(call: Call, response: unknown, unlisted = false, isNear = false): void {
    const before = call.state;
    call.state = "done";
    if (this.#near !== null && !isNear) this.#near.ended(call.operation);
    if (!unlisted) this.#deadlines.remove(call, call.timeoutMs);
    if (call.abort !== null) call.abort.leave(call);
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
      `${limiter.inFlight} in flight of ${limiter.limit}`,
      `${limiter.queued} queued`,
      `${call.attempts} attempt${call.attempts === 1 ? "" : "s"}`,
      // Why there is no connection may be the reason itself: it is said once.
      transport.describe().replace(` after: ${reason}`, ""),
    ];
    if (lag !== null) facts.push(`event-loop lag up to ${lag.takeLargestMs().toFixed(0)} ms`);
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

// Refused before anything of it ran (AUTH-3), so that any call may be sent again.
function mayRenew({ renewals = 0 }: Call, { status, shown = 0 }: Failure, tokens: TokenSource): boolean {
  if (status !== Status.unauthenticated) return false;
  return renewals === 0 || (renewals < mostRenewals && shown < tokens.version);
}

// All of its time so far, where it was never sent.
function queuedMs(call: Call, now: number): number {
  return call.attempts === 0 ? now - call.startedAt : call.queuedUs / 1_000;
}
