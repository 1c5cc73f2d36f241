import type { Configuration } from "../configuration/configuration.js";
import { validated } from "../configuration/configuration-check.js";
import { CredentialProvider, credentialBrand } from "../configuration/credential-provider.js";
import type { Logger } from "../telemetry/client-log.js";
import type { MetricsHooks } from "../telemetry/metrics.js";
import type { CacheClientOptions } from "./client-options.js";
import { hasBrand } from "./package-brand.js";
import { checkTtl, maxTtlMs, requireKnownNames } from "./validation.js";

const optionNames = ["credentials", "configuration", "defaultTtlMs", "metrics", "logger"];
const levels = ["debug", "info", "warn", "error"] as const;
const hookNames = [
  "callStarted",
  "callEnded",
  "clientOpened",
  "clientClosed",
  "connectionChanged",
  "subscriptionChanged",
  "capChanged",
];

/** Validated client options. */
export interface CheckedOptions extends CacheClientOptions {
  readonly credentials: CredentialProvider;
}

/**
 * Validates a client's options.
 * @throws TypeError or RangeError that names the first invalid option.
 */
export function checkedOptions(options: CacheClientOptions): CheckedOptions {
  requireKnownNames("option", options, optionNames);
  const { defaultTtlMs, metrics, logger } = options;
  const credentials = checkedCredentials(options.credentials);
  if (typeof defaultTtlMs !== "number") throw new TypeError("defaultTtlMs must be a number of milliseconds");
  if (checkTtl(defaultTtlMs) !== null)
    throw new RangeError(`defaultTtlMs must be above 0 and at most ${maxTtlMs}, not ${defaultTtlMs}`);
  return {
    credentials,
    configuration: checkedConfiguration(options.configuration),
    defaultTtlMs,
    ...(metrics === undefined ? {} : { metrics: checkedHooks(metrics) }),
    ...(logger === undefined ? {} : { logger: checkedLogger(logger) }),
  };
}

function checkedCredentials(credentials: CredentialProvider | string): CredentialProvider {
  if (typeof credentials === "string") return CredentialProvider.fromString(credentials);
  if (!hasBrand(credentials, credentialBrand))
    throw new TypeError(
      "credentials must be a URL or a CredentialProvider, for example CredentialProvider.fromString(url)",
    );
  return credentials;
}

function checkedConfiguration(configuration: Configuration): Configuration {
  const remedy = "configuration must be a Configuration, for example Configurations.Laptop.latest()";
  if (typeof configuration !== "object" || configuration === null || "latest" in configuration)
    throw new TypeError(remedy);
  if (!("requestTimeoutMs" in configuration)) throw new TypeError(remedy);
  return validated(configuration as Configuration);
}

// Checks the hooks. They are not copied, because the application may set a hook later.
function checkedHooks(metrics: MetricsHooks): MetricsHooks {
  requireKnownNames("hook", metrics, hookNames);
  for (const [name, hook] of Object.entries(metrics))
    if (hook !== undefined && typeof hook !== "function") throw new TypeError(`the hook ${name} must be a function`);
  return metrics;
}

// Checks the logger. It is not copied, because the application may change the logger's level later.
function checkedLogger(logger: Logger): Logger {
  for (const level of levels)
    if (typeof logger?.[level] !== "function")
      throw new TypeError(`the logger must have the methods ${levels.join(", ")}`);
  return logger;
}
