import type { Clock } from "../calls/clock.js";
import type { Configuration } from "../configuration/configuration.js";
import type { CredentialProvider } from "../configuration/credential-provider.js";
import type { TokenSource } from "../configuration/token-source.js";
import type { NearCache } from "../near/near-cache.js";
import type { GuardedHooks } from "../telemetry/guarded-hooks.js";
import type { GatewayTransport } from "./transport.js";

/** The objects that a pipeline transport depends on. */
export interface PipelineParts {
  readonly credentials: CredentialProvider;
  readonly configuration: Configuration;
  /** The transport for control calls and for requests over 64 KB. If the server has no pipeline, all calls use it. */
  readonly unary: GatewayTransport;
  /** The headers of every call: the client's own headers and the configured headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly hooks: GuardedHooks;
  readonly random: () => number;
  /**
   * Returns the time in milliseconds of a clock that continues while the machine sleeps.
   * @defaultValue `clock`
   */
  readonly wall?: () => number;
  /** Supplies the tokens of the token provider. Null if the headers contain the token, or if there is no token. */
  readonly tokens?: TokenSource | null;
  /** The local copies of values. Null if there is no near cache. */
  readonly near?: NearCache | null;
  /** Called when the client finds that the server has no pipeline. All further calls are unary. */
  readonly unsupported: () => void;
}
