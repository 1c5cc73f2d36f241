import { maxTimeoutMs, requireKnownNames } from "../client/validation.js";
import { checkedNearCache } from "../near/near-settings.js";
import type { Configuration } from "./configuration.js";

/** The valid range of a number. If a bound is the name of a setting, the value of that setting is the bound. */
interface Range {
  readonly min: number | "initialBackOffMs";
  readonly max: number | "requestTimeoutMs";
  readonly whole?: boolean;
  readonly allowsOff?: boolean;
}

const cap = { min: 1, max: 100_000, whole: true, allowsOff: true };
const ranges: {
  readonly [Name in Exclude<keyof Configuration, "transport" | "eagerConnect" | "headers" | "nearCache">]: Range;
} = {
  requestTimeoutMs: { min: 1, max: maxTimeoutMs },
  maxInFlightUnary: cap,
  maxInFlightPipeline: cap,
  adaptiveTargetMs: { min: 0.1, max: "requestTimeoutMs", allowsOff: true },
  queueLimit: { min: 0, max: 1_000_000, whole: true },
  channels: { min: 0, max: 100, whole: true },
  maxRetries: { min: 0, max: 10, whole: true },
  retryBudget: { min: 0, max: 1 },
  initialBackOffMs: { min: 1, max: 10_000 },
  maxBackOffMs: { min: "initialBackOffMs", max: 60_000 },
  connectTimeoutMs: { min: 1, max: 60_000 },
  keepaliveIntervalMs: { min: 1_000, max: 3_600_000, allowsOff: true },
  keepaliveTimeoutMs: { min: 1_000, max: 60_000 },
};
const settingNames = [...Object.keys(ranges), "transport", "eagerConnect", "headers", "nearCache"];
const transports = ["auto", "unary", "pipeline"];
const headerNamePattern = /^[a-z0-9_.-]+$/;
const connectionNames =
  "te host content-type connection upgrade keep-alive http2-settings transfer-encoding proxy-connection";
const clientNames = "authorization cache agent runtime-version user-agent";
const reservedNames = `${clientNames} ${connectionNames}`.split(" ");
const grpcNamePattern = /^grpc-|-bin$/;
const headerValuePattern = /^[\x20-\x7e]*$/;

/**
 * Returns a frozen, validated copy of the settings.
 * @throws TypeError or RangeError that names the first invalid setting (CONFIG-2).
 */
export function validated(configuration: Configuration): Configuration {
  requireKnownNames("setting", configuration, settingNames);
  const copy = { ...configuration };
  for (const [name, range] of Object.entries(ranges)) checkNumber(name, copy[name as keyof typeof ranges], range, copy);
  if (!transports.includes(copy.transport))
    throw new RangeError(`transport must be auto, unary or pipeline, not ${shown(copy.transport)}`);
  if (typeof copy.eagerConnect !== "boolean")
    throw new TypeError(`eagerConnect must be true or false, not ${shown(copy.eagerConnect)}`);
  const nearCache = checkedNearCache(copy.nearCache);
  if (nearCache !== "off" && copy.transport === "unary")
    throw new RangeError(
      "nearCache needs the pipeline, but transport is 'unary'; set nearCache to 'off' or transport to 'auto'",
    );
  return Object.freeze({ ...copy, headers: checkedHeaders(copy.headers), nearCache });
}

function checkNumber(name: string, value: unknown, range: Range, all: Configuration): void {
  const { min, max, whole, allowsOff } = range;
  if (allowsOff === true && value === "off") return;
  const bound = (given: number | keyof Configuration) => (typeof given === "number" ? given : (all[given] as number));
  const fits = Number.isFinite(value) && (value as number) >= bound(min) && (value as number) <= bound(max);
  if (fits && (whole !== true || Number.isInteger(value))) return;
  const kind = whole === true ? "an integer" : "a number";
  const off = allowsOff === true ? ' or "off"' : "";
  const message = `${name} must be ${kind} from ${min} to ${max}${off}, not ${shown(value)}`;
  throw typeof value === "number" ? new RangeError(message) : new TypeError(message);
}

function checkedHeaders(headers: Configuration["headers"]): Configuration["headers"] {
  if (Object.prototype.toString.call(headers) !== "[object Object]")
    throw new TypeError(`headers must be an object of names and values, not ${shown(headers)}`);
  const copy = { ...headers };
  for (const [name, value] of Object.entries(copy)) {
    if (!headerNamePattern.test(name) || grpcNamePattern.test(name) || reservedNames.includes(name))
      throw new RangeError(
        `headers: the name '${name}' is reserved or has invalid characters; allowed: a-z, 0-9, '-', '_' and '.'`,
      );
    if (typeof value !== "string")
      throw new TypeError(`headers: the value of '${name}' must be a string, not ${shown(value)}`);
    if (!headerValuePattern.test(value)) throw new RangeError(`headers: the value of '${name}' is not printable ASCII`);
  }
  return Object.freeze(copy);
}

// Formats a value for an error message. Does not call `String(value)` for an object, because it may throw.
function shown(value: unknown): string {
  if (typeof value === "string") return `'${value.slice(0, 40)}'`;
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

/**
 * Returns a copy of a configuration with some settings replaced.
 * @throws TypeError or RangeError that names the first invalid setting.
 */
export function withSettings(configuration: Configuration, changes: Partial<Configuration>): Configuration {
  if (typeof changes !== "object" || changes === null) throw new TypeError("the settings must be an object");
  return validated({ ...configuration, ...changes });
}
