import { AdaptiveLimiter } from "./adaptive-limiter.js";
import type { CacheClientOptions } from "./client-options.js";
import { systemClock } from "./clock.js";
import { Dispatcher } from "./dispatcher.js";
import { EventLoopLag } from "./event-loop-lag.js";
import { GuardedHooks } from "./guarded-hooks.js";
import { InFlightLimiter } from "./in-flight-limiter.js";
import { PipelineTransport } from "./pipeline-transport.js";
import { RetryPolicy } from "./retry-policy.js";
import type { Transport } from "./transport.js";
import { UnaryTransport } from "./unary-transport.js";
import { version } from "./version.js";

/** The parts of a client, wired together. */
export interface ClientParts {
  readonly limiter: InFlightLimiter;
  readonly adaptive: AdaptiveLimiter | null;
  readonly dispatcher: Dispatcher;
  readonly transport: Transport;
  readonly lag: EventLoopLag;
}

/** Makes the parts that a client's options ask for. */
export function clientParts({
  credentials,
  configuration,
  metrics = {},
  metadata = {},
}: CacheClientOptions): ClientParts {
  const unaryOnly = configuration.transport === "unary";
  const cap = unaryOnly ? configuration.maxInFlightUnary : configuration.maxInFlightPipeline;
  const limiter = new InFlightLimiter(cap, configuration.queueLimit);
  const hooks = new GuardedHooks(metrics);
  const lag = new EventLoopLag();
  const headers = callMetadata(credentials.token(), metadata);
  const common = { credentials, configuration, metadata: headers, clock: systemClock, hooks };
  const unary = new UnaryTransport(common);
  const { adaptiveTargetMs: target, maxInFlightUnary } = configuration;
  const adaptive = target === "off" ? null : new AdaptiveLimiter(limiter, cap, target, systemClock.now(), hooks);
  const unsupported = () => {
    if (adaptive === null) limiter.limit = maxInFlightUnary;
    else adaptive.changeMost(maxInFlightUnary);
  };
  const transport = unaryOnly ? unary : new PipelineTransport({ ...common, unary, random: Math.random, unsupported });
  const retryPolicy = new RetryPolicy(configuration, cap);
  const dispatcher = new Dispatcher({ limiter, adaptive, retryPolicy, transport, clock: systemClock, lag, hooks });
  return { limiter, adaptive, dispatcher, transport, lag };
}

function callMetadata(token: string | undefined, extra: Readonly<Record<string, string>>): Record<string, string> {
  const own = { agent: `larder-node:${version}`, "runtime-version": `nodejs:${process.versions.node}` };
  return { ...own, ...(token === undefined ? {} : { authorization: token }), ...extra };
}
