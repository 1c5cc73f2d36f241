import type { Clock } from "../calls/clock.js";
import type { Configuration } from "../configuration/configuration.js";
import type { CredentialProvider } from "../configuration/credential-provider.js";
import type { TokenSource } from "../configuration/token-source.js";
import type { NearCache } from "../near/near-cache.js";
import type { GuardedHooks } from "../telemetry/guarded-hooks.js";
import type { GatewayTransport } from "./transport.js";

/** The dependencies of a pipeline transport. */
export interface PipelineParts {
  readonly credentials: CredentialProvider;
  readonly configuration: Configuration;
  /** Used for control calls, for requests over 64 KB, and for every call if the server has no pipeline. */
  readonly unary: GatewayTransport;
  /** The headers of every call: the client's own and the configured ones. */
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly hooks: GuardedHooks;
  readonly random: () => number;
  /** A clock that continues while the machine sleeps. Default: `clock`. */
  readonly wall?: () => number;
  /** The token of the token provider; null if the token, if any, is in the headers. */
  readonly tokens?: TokenSource | null;
  /** Local copies of values that were read; null if no copies are kept. */
  readonly near?: NearCache | null;
  /** Called if the server has no pipeline: all further calls are unary. */
  readonly unsupported: () => void;
}
