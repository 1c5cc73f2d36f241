import { requireKnownNames } from "./validation.js";

/** Which way calls travel. `auto`: the pipeline where the server has it, otherwise unary. */
export type TransportKind = "auto" | "unary" | "pipeline";

/** A client's settings. Immutable; make a changed copy with `withSettings`. */
export interface Configuration {
  /** Way of travel. Default `auto`. */
  readonly transport: TransportKind;
  /** The one deadline of a call: waiting, sending and retrying. Milliseconds, 1 … 2^31 − 1. */
  readonly requestTimeoutMs: number;
  /** Requests in flight at once over unary calls, 1 … 100,000; "off" for none (then every caller sends at once). */
  readonly maxInFlightUnary: number | "off";
  /** Requests in flight at once over the pipeline, 1 … 100,000; "off" for none. */
  readonly maxInFlightPipeline: number | "off";
  /**
   * A cap that finds itself: the time from a call's permit to its end that at most 1 call in 1,000 may exceed (p99.9).
   * The cap then moves between 1 and the one above (at most 100,000), beginning at 16; waiting for it is not counted.
   * Milliseconds, 0.1 … requestTimeoutMs; "off": the cap stays as it is set. Set it where the server's speed changes, or
   * nobody has tuned the cap. Default "off". Rules: protocol/spec/adaptive-cap.md.
   */
  readonly adaptiveTargetMs: number | "off";
  /** Callers that may wait for the cap, 0 … 1,000,000; the next one is answered `ClientOverloaded`. */
  readonly queueLimit: number;
  /** Least number of unary channels, each with a connection of its own, 1 … 100. */
  readonly channels: number;
  /** Whether each channel keeps its own connection. Off only to measure what that costs. Default true. */
  readonly localSubchannelPool: boolean;
  /** Sends after the first, 0 … 10 (RETRY-4). */
  readonly maxRetries: number;
  /** Retries allowed for each call made, over time: 0 … 1 (RETRY-6). */
  readonly retryBudget: number;
  /** The longest first wait before a retry; each further one doubles it. Milliseconds, 1 … 10,000 (RETRY-11). */
  readonly initialBackOffMs: number;
  /** The longest wait before any retry. Milliseconds, initialBackOffMs … 60,000 (RETRY-11). */
  readonly maxBackOffMs: number;
  /** Time between keepalive pings of a connection, in milliseconds, 1,000 or more; "off" for none. */
  readonly keepaliveIntervalMs: number | "off";
  /** How long a ping's answer may take before the connection is given up. Milliseconds. */
  readonly keepaliveTimeoutMs: number;
  /** Whether `CacheClient.create` connects before it answers. */
  readonly eagerConnect: boolean;
}

/** A copy of `configuration` with some settings replaced, and checked. */
export function withSettings(configuration: Configuration, changes: Partial<Configuration>): Configuration {
  requireKnownNames("setting", configuration, settingNames);
  requireKnownNames("setting", changes, settingNames);
  return validated({ ...configuration, ...changes });
}

const settingNames: readonly (keyof Configuration)[] = [
  "transport",
  "requestTimeoutMs",
  "maxInFlightUnary",
  "maxInFlightPipeline",
  "adaptiveTargetMs",
  "queueLimit",
  "channels",
  "localSubchannelPool",
  "maxRetries",
  "retryBudget",
  "initialBackOffMs",
  "maxBackOffMs",
  "keepaliveIntervalMs",
  "keepaliveTimeoutMs",
  "eagerConnect",
];

/** Checks every setting once; a RangeError names the first that is out of its range. */
export function validated(configuration: Configuration): Configuration {
  requireKnownNames("setting", configuration, settingNames);
  const integer = (name: keyof Configuration, least: number, most: number) => {
    const value = configuration[name];
    if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return;
    throw new RangeError(`${name} must be an integer from ${least} to ${most}, not ${String(value)}`);
  };
  const integerOrOff = (name: keyof Configuration, least: number, most: number) => {
    if (configuration[name] !== "off") integer(name, least, most);
  };
  integer("requestTimeoutMs", 1, 2 ** 31 - 1);
  integerOrOff("maxInFlightUnary", 1, 100_000);
  integerOrOff("maxInFlightPipeline", 1, 100_000);
  const { adaptiveTargetMs: target, requestTimeoutMs, retryBudget } = configuration;
  if (target !== "off" && !(typeof target === "number" && target >= 0.1 && target <= requestTimeoutMs))
    throw new RangeError(`adaptiveTargetMs must be from 0.1 to requestTimeoutMs or "off", not ${String(target)}`);
  integer("queueLimit", 0, 1_000_000);
  integer("channels", 1, 100);
  integer("maxRetries", 0, 10);
  if (!(typeof retryBudget === "number" && retryBudget >= 0 && retryBudget <= 1))
    throw new RangeError(`retryBudget must be from 0 to 1, not ${String(retryBudget)}`);
  integer("initialBackOffMs", 1, 10_000);
  integer("maxBackOffMs", configuration.initialBackOffMs, 60_000);
  integerOrOff("keepaliveIntervalMs", 1_000, 2 ** 31 - 1);
  integer("keepaliveTimeoutMs", 1, 2 ** 31 - 1);
  if (!["auto", "unary", "pipeline"].includes(configuration.transport))
    throw new RangeError(`transport must be auto, unary or pipeline, not ${String(configuration.transport)}`);
  for (const name of ["localSubchannelPool", "eagerConnect"] as const)
    if (typeof configuration[name] !== "boolean") throw new TypeError(`${name} must be true or false`);
  return Object.freeze(configuration);
}
