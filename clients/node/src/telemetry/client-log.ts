import { types } from "node:util";
import type { CacheErrorCode } from "../client/errors.js";
import { thrownText } from "../client/thrown-text.js";
import type { CapEvent, ConnectionEvent, SubscriptionChange } from "./metrics.js";

/** A logger with the methods of pino: fields for programs and a message for people. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

type Level = keyof Logger;

/** Fields of a log record. They contain no key, value or token. */
export interface LogFields {
  /** Name of the event: `connection_lost`, `retry` … */
  readonly event: string;
  readonly operation?: string;
  readonly cacheName?: string;
  readonly errorCode?: CacheErrorCode | undefined;
  /** Number of attempts so far. */
  readonly attempts?: number;
  readonly waitMs?: number;
  /** `host:port`. */
  readonly endpoint?: string | undefined;
  /** Limit of requests in flight. */
  readonly limit?: number;
  /** Exception of a factory or a hook. */
  readonly err?: unknown;
}

// The level and the event name of each connection event.
const connectionEvents: Readonly<Record<ConnectionEvent["kind"], readonly [level: Level, event: string]>> = {
  opened: ["debug", "connection_opened"],
  lost: ["info", "connection_lost"],
  setAside: ["debug", "connection_set_aside"],
  pipelineUnsupported: ["info", "pipeline_unsupported"],
  nearCacheRefused: ["warn", "near_refused"],
  gatewayLeftOut: ["warn", "gateway_left_out"],
  gatewayUp: ["info", "gateway_up"],
};

/** Logs the client's events under the same names as in the other languages. Without a logger it does nothing. */
export class ClientLog {
  #outOfReach = false;
  #hasFailed = false;

  constructor(private readonly logger: Logger | null) {}

  /** Returns whether there is a logger. */
  get isEnabled(): boolean {
    return this.logger !== null;
  }

  connectionChanged({ kind, message, endpoint, errorCode }: ConnectionEvent): void {
    const [level, event] = connectionEvents[kind];
    this.#write(level, { event, ...(endpoint === undefined ? {} : { endpoint }), ...codeOf(errorCode) }, message);
  }

  subscriptionChanged({ kind, cacheName }: SubscriptionChange): void {
    if (kind !== "lost") return;
    this.#write("debug", { event: "subscription_lost", cacheName }, "a subscription was lost, and is asked for again");
  }

  capChanged({ from, to, targetMs, outOfReach }: CapEvent): void {
    if (from !== to) this.#write("debug", { event: "cap_changed", limit: to }, `the cap goes from ${from} to ${to}`);
    if (outOfReach === this.#outOfReach) return;
    this.#outOfReach = outOfReach;
    const target = `the target of ${targetMs} ms`;
    if (outOfReach)
      this.#write("warn", { event: "target_out_of_reach", limit: to }, `${target} is not reached by a smaller cap`);
    else this.#write("info", { event: "target_in_reach", limit: to }, `${target} is in reach again`);
  }

  retried(operation: string, cacheName: string, errorCode: CacheErrorCode, attempts: number, waitMs: number): void {
    const fields = { event: "retry", operation, cacheName, errorCode, attempts, waitMs };
    this.#write("debug", fields, `${operation} is sent again in ${waitMs.toFixed(0)} ms`);
  }

  loadedWithoutCache(cacheName: string, errorCode: CacheErrorCode): void {
    this.#write("debug", { event: "made_without_cache", cacheName, errorCode }, "a value is made and not stored");
  }

  cacheUnusable(cacheName: string, errorCode: CacheErrorCode, message: string): void {
    const told = `${message}; values are made and not stored, which is told once`;
    this.#write("error", { event: "cache_unusable", cacheName, errorCode }, told);
  }

  /**
   * Logs that a stale value was returned.
   * @param err - What the factory threw; undefined if it exceeded its soft timeout.
   */
  staleReturned(cacheName: string, err?: unknown): void {
    const fields = { event: "stale_answered", cacheName };
    if (err === undefined) this.#write("info", fields, "a factory takes long, and what is past its time is answered");
    else this.#write("warn", { ...fields, err }, "a factory threw, and what is past its time is answered");
  }

  refreshFailed(cacheName: string, err: unknown): void {
    this.#write("warn", { event: "not_made_anew", cacheName, err }, "a value could not be made anew");
  }

  refreshPostponed(cacheName: string): void {
    const message = "a value is not made anew now, as the client makes its most already";
    this.#write("debug", { event: "refresh_put_off", cacheName }, message);
  }

  observerThrew(name: string, err: unknown): void {
    this.#write("error", { event: "observer_raised", err }, `the ${name} hook failed, which is told once`);
  }

  // Exceptions and rejections of the logger are caught. The first one becomes a process warning.
  #write(level: Level, fields: LogFields, message: string): void {
    if (this.logger === null) return;
    try {
      const outcome: unknown = this.logger[level](fields, message);
      if (types.isPromise(outcome)) outcome.catch((error: unknown) => this.#failed(error));
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    process.emitWarning(`the logger failed, which is told once: ${thrownText(error)}`, "LarderWarning");
  }
}

function codeOf(errorCode: CacheErrorCode | undefined): Pick<LogFields, "errorCode"> {
  return errorCode === undefined ? {} : { errorCode };
}
