import { types } from "node:util";
import type { CacheErrorCode } from "../client/errors.js";
import { thrownText } from "../client/thrown-text.js";
import type { CapEvent, ConnectionEvent, SubscriptionChange } from "./metrics.js";

/** A logger with the methods of pino. A record consists of fields for programs and a message for people. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

type Level = keyof Logger;

/** Fields of a log record. They contain no key, value or token. */
export interface LogFields {
  /** Name of the event, for example `connection_lost` or `retry`. */
  readonly event: string;
  readonly operation?: string;
  readonly cacheName?: string;
  readonly errorCode?: CacheErrorCode | undefined;
  /** Number of attempts so far. */
  readonly attempts?: number;
  readonly waitMs?: number;
  /** `host:port` of the server or gateway. */
  readonly endpoint?: string | undefined;
  /** Maximum number of requests in flight. */
  readonly limit?: number;
  /** Exception that a factory or a hook threw. */
  readonly err?: unknown;
}

// The level, the event name and the beginning of the log message, for each connection event.
const connectionEvents: Readonly<
  Record<ConnectionEvent["kind"], readonly [level: Level, event: string, beginning: string]>
> = {
  opened: ["debug", "connection_opened", ""],
  lost: ["info", "connection_lost", ""],
  setAside: ["debug", "connection_set_aside", ""],
  pipelineUnsupported: ["info", "pipeline_unsupported", "Calls use unary requests from now on: "],
  nearCacheRefused: ["warn", "near_refused", "Reads go to the server, because the server rejected the near cache: "],
  gatewayLeftOut: ["warn", "gateway_left_out", "A gateway was removed from rotation: "],
  gatewayUp: ["info", "gateway_up", "A gateway is available again: "],
};

/**
 * Logs the client's events. The names of the events are the same as in the other languages. If there is no logger,
 * nothing is logged.
 */
export class ClientLog {
  #outOfReach = false;
  #hasFailed = false;

  constructor(private readonly logger: Logger | null) {}

  /** Returns whether there is a logger. */
  get isEnabled(): boolean {
    return this.logger !== null;
  }

  connectionChanged({ kind, message, endpoint, errorCode }: ConnectionEvent): void {
    const [level, event, beginning] = connectionEvents[kind];
    const text = beginning === "" ? message.charAt(0).toUpperCase() + message.slice(1) : beginning + message;
    this.#write(level, { event, ...(endpoint === undefined ? {} : { endpoint }), ...codeOf(errorCode) }, text);
  }

  subscriptionChanged({ kind, cacheName }: SubscriptionChange): void {
    if (kind !== "lost") return;
    this.#write("debug", { event: "subscription_lost", cacheName }, "A subscription was lost; reconnecting.");
  }

  capChanged({ from, to, targetMs, outOfReach }: CapEvent): void {
    if (from !== to)
      this.#write("debug", { event: "cap_changed", limit: to }, `The concurrency limit changed from ${from} to ${to}.`);
    if (outOfReach === this.#outOfReach) return;
    this.#outOfReach = outOfReach;
    const target = `The latency target (p99.9 of ${targetMs} ms)`;
    if (outOfReach)
      this.#write(
        "warn",
        { event: "target_out_of_reach", limit: to },
        `${target} cannot be met, even with fewer requests in flight.`,
      );
    else this.#write("info", { event: "target_in_reach", limit: to }, `${target} can be met again.`);
  }

  retried(operation: string, cacheName: string, errorCode: CacheErrorCode, attempts: number, waitMs: number): void {
    const fields = { event: "retry", operation, cacheName, errorCode, attempts, waitMs };
    this.#write("debug", fields, `Retrying ${operation} in ${waitMs.toFixed(0)} ms.`);
  }

  loadedWithoutCache(cacheName: string, errorCode: CacheErrorCode): void {
    this.#write(
      "debug",
      { event: "made_without_cache", cacheName, errorCode },
      "The cache is not usable. The value is loaded but not stored.",
    );
  }

  cacheUnusable(cacheName: string, errorCode: CacheErrorCode, message: string): void {
    const told = `The cache is not usable: ${message}. Values are loaded but not stored. This is logged once.`;
    this.#write("error", { event: "cache_unusable", cacheName, errorCode }, told);
  }

  /**
   * Logs that a stale value was returned.
   * @param err - The factory's exception. Undefined if the factory exceeded its soft timeout.
   */
  staleReturned(cacheName: string, err?: unknown): void {
    const fields = { event: "stale_answered", cacheName };
    if (err === undefined)
      this.#write("info", fields, "A stale value was returned, because the factory exceeded its soft timeout.");
    else this.#write("warn", { ...fields, err }, "A stale value was returned, because the factory threw.");
  }

  refreshFailed(cacheName: string, err: unknown): void {
    this.#write(
      "warn",
      { event: "not_made_anew", cacheName, err },
      "A stale value could not be refreshed, because its factory threw.",
    );
  }

  refreshPostponed(cacheName: string): void {
    const message = "The refresh of a stale value was postponed, because too many refreshes are running.";
    this.#write("debug", { event: "refresh_put_off", cacheName }, message);
  }

  observerThrew(name: string, err: unknown): void {
    this.#write("error", { event: "observer_raised", err }, `The hook ${name} failed. This is logged once.`);
  }

  // Writes a log record. Exceptions and rejections of the logger are caught, and the first one becomes a process
  // warning.
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
    process.emitWarning(
      `The client's logger failed: ${thrownText(error)}. This warning is emitted once.`,
      "LarderWarning",
    );
  }
}

function codeOf(errorCode: CacheErrorCode | undefined): Pick<LogFields, "errorCode"> {
  return errorCode === undefined ? {} : { errorCode };
}
