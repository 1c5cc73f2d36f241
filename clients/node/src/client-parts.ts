import { AdaptiveLimiter } from "./adaptive-limiter.js";
import { CallRunner } from "./call-runner.js";
import type { CacheClientOptions } from "./client-options.js";
import { systemClock } from "./clock.js";
import { EventLoopLag } from "./event-loop-lag.js";
import { GuardedHooks } from "./guarded-hooks.js";
import { InFlightLimiter } from "./in-flight-limiter.js";
import type { ClientStatistics } from "./metrics.js";
import { PipelineTransport } from "./pipeline-transport.js";
import { RetryPolicy } from "./retry-policy.js";
import type { Transport } from "./transport.js";
import { UnaryTransport } from "./unary-transport.js";
import { version } from "./version.js";

/** The parts of a client, wired together. */
export interface ClientParts {
  readonly limiter: InFlightLimiter;
  readonly adaptive: AdaptiveLimiter | null;
  readonly runner: CallRunner;
  readonly transport: Transport;
  readonly lag: EventLoopLag;
}

/** Makes the parts that a client's options ask for. */
export function clientParts({ credentials, configuration, metrics = {} }: CacheClientOptions): ClientParts {
  const unaryOnly = configuration.transport === "unary";
  const cap = unaryOnly ? configuration.maxInFlightUnary : configuration.maxInFlightPipeline;
  const limiter = new InFlightLimiter(cap, configuration.queueLimit);
  const hooks = new GuardedHooks(metrics);
  const lag = new EventLoopLag();
  const headers = { ...ownHeaders(credentials.token()), ...configuration.headers };
  const common = { credentials, configuration, headers, clock: systemClock, hooks };
  const unary = new UnaryTransport(common);
  const { adaptiveTargetMs: target, maxInFlightUnary } = configuration;
  const adaptive = target === "off" ? null : new AdaptiveLimiter(limiter, cap, target, systemClock.now(), hooks);
  const unsupported = () => {
    if (adaptive === null) limiter.limit = maxInFlightUnary;
    else adaptive.changeMost(maxInFlightUnary);
  };
  const transport = unaryOnly ? unary : new PipelineTransport({ ...common, unary, random: Math.random, unsupported });
  const retryPolicy = new RetryPolicy(configuration, cap);
  const runner = new CallRunner({ limiter, adaptive, retryPolicy, transport, clock: systemClock, lag, hooks });
  return { limiter, adaptive, runner, transport, lag };
}

/** What a client holds now, as its parts say. */
export function statisticsOf({ limiter, adaptive, runner, transport }: ClientParts): ClientStatistics {
  return {
    inFlight: limiter.inFlight,
    inFlightLimit: limiter.limit,
    targetOutOfReach: adaptive?.state === "outOfReach",
    queued: limiter.queued,
    connections: transport.connections,
    pipelined: transport.pipelined,
    hits: runner.hits,
    misses: runner.misses,
  };
}

function ownHeaders(token: string | undefined): Record<string, string> {
  const own = { agent: `larder-node:${version}`, "runtime-version": `nodejs:${process.versions.node}` };
  return token === undefined ? own : { ...own, authorization: token };
}
