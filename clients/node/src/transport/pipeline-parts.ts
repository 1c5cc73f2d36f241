import type { Clock } from "../calls/clock.js";
import type { Configuration } from "../configuration/configuration.js";
import type { CredentialProvider } from "../configuration/credential-provider.js";
import type { TokenSource } from "../configuration/token-source.js";
import type { NearCache } from "../near/near-cache.js";
import type { GuardedHooks } from "../telemetry/guarded-hooks.js";
import type { GatewayTransport } from "./transport.js";

/** What a pipeline transport works with. */
export interface PipelineParts {
  readonly credentials: CredentialProvider;
  readonly configuration: Configuration;
  /** Carries control calls, requests over 64 KB, and every call where the server has no pipeline. */
  readonly unary: GatewayTransport;
  /** Of every call: the client's own, and the configuration's. */
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly hooks: GuardedHooks;
  readonly random: () => number;
  /** A clock that continues while the machine sleeps. Default: `clock`. */
  readonly wall?: () => number;
  /** The provider's token; null: the token, if any, is among the headers. */
  readonly tokens?: TokenSource | null;
  /** Copies of what gets have read; null: none are kept. */
  readonly near?: NearCache | null;
  /** The server has no pipeline: calls are unary from now on. */
  readonly unsupported: () => void;
}
