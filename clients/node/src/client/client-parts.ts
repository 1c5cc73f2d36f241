import { AdaptiveLimiter } from "../calls/adaptive-limiter.js";
import { CallRunner } from "../calls/call-runner.js";
import { type Clock, systemClock } from "../calls/clock.js";
import { EventLoopLag } from "../calls/event-loop-lag.js";
import { InFlightLimiter } from "../calls/in-flight-limiter.js";
import { RetryPolicy } from "../calls/retry-policy.js";
import { wallMs } from "../calls/system-timers.js";
import type { CredentialProvider } from "../configuration/credential-provider.js";
import { TokenSource } from "../configuration/token-source.js";
import { NearCache } from "../near/near-cache.js";
import { NearClock } from "../near/near-clock.js";
import { ClientLog } from "../telemetry/client-log.js";
import { GuardedHooks } from "../telemetry/guarded-hooks.js";
import type { ClientStatistics } from "../telemetry/metrics.js";
import { TopicChannels } from "../topics/topic-channels.js";
import { TopicSubscriptions } from "../topics/topic-subscriptions.js";
import { type ResolverSettings, systemResolver } from "../transport/gateway-resolver.js";
import { GatewaySet } from "../transport/gateway-set.js";
import { PipelineTransport } from "../transport/pipeline-transport.js";
import type { GatewayTransport, Transport } from "../transport/transport.js";
import { UnaryTransport } from "../transport/unary-transport.js";
import type { CheckedOptions } from "./client-options-check.js";
import { version } from "./version.js";

/** The objects that a client consists of. */
export interface ClientParts {
  /** The clock for deadlines and waits. */
  readonly clock: Clock;
  /** `host:port` of the server, or of the first server if there are several. */
  readonly endpoint: string;
  readonly limiter: InFlightLimiter;
  readonly adaptive: AdaptiveLimiter | null;
  readonly runner: CallRunner;
  readonly hooks: GuardedHooks;
  readonly log: ClientLog;
  /** The transport. It is replaced when the client finds that a host name has several servers. */
  transport: Transport;
  readonly lag: EventLoopLag;
  /**
   * The servers, if the credentials contain several or if the host name may have several. Null if there is only one
   * server.
   */
  readonly gateways: GatewaySet | null;
  /** The source of tokens from the token provider. Null if the credentials have a fixed token or no token. */
  readonly tokens: TokenSource | null;
  readonly topics: TopicSubscriptions;
  /** The local copies of values. Null if there is no near cache. */
  readonly near: NearCache | null;
}

/**
 * Creates the parts of a client from its options.
 * @param names - Resolves host names.
 */
export function clientParts(
  { credentials, configuration, metrics = {}, logger }: CheckedOptions,
  names: ResolverSettings = systemResolver,
): ClientParts {
  const unaryOnly = configuration.transport === "unary";
  const cap = unaryOnly ? configuration.maxInFlightUnary : configuration.maxInFlightPipeline;
  const limiter = new InFlightLimiter(cap, configuration.queueLimit);
  const log = new ClientLog(logger ?? null);
  const hooks = new GuardedHooks(metrics, log);
  const lag = new EventLoopLag();
  const inProcess = credentials.inProcess();
  const clock = inProcess?.clock ?? systemClock;
  const { adaptiveTargetMs: target, maxInFlightUnary, nearCache } = configuration;
  const near = nearCache === "off" ? null : new NearCache(nearCache, clock, new NearClock(), hooks);
  const adaptive = target === "off" ? null : new AdaptiveLimiter(limiter, cap, target, clock.now(), hooks);
  const unsupported = () => {
    if (adaptive === null) limiter.limit = maxInFlightUnary;
    else adaptive.setMaximum(maxInFlightUnary);
  };
  const provider = credentials.tokenProvider();
  const tokens = provider === undefined ? null : new TokenSource(provider, clock);
  const headersFor = (server: Pick<CredentialProvider, "token">) => ({
    ...ownHeaders(server.token()),
    ...configuration.headers,
  });
  const transportOf = (server: CredentialProvider, patient: boolean): GatewayTransport => {
    const common = {
      credentials: server,
      configuration,
      headers: headersFor(server),
      clock,
      hooks,
      tokens,
      wall: wallMs,
    };
    const unary = new UnaryTransport({ ...common, waitsForConnection: patient });
    return unaryOnly ? unary : new PipelineTransport({ ...common, unary, random: Math.random, near, unsupported });
  };
  const retryPolicy = new RetryPolicy(configuration, cap);
  const several = credentials.gateways().length > 1;
  const only = several || inProcess !== null ? null : transportOf(credentials, true);
  const changed = () => {
    if (gateways === null || parts.transport === gateways) return;
    if (only !== null) gateways.takeOver(only);
    parts.transport = gateways;
    running.transport = gateways;
  };
  const make = (gateway: CredentialProvider) => transportOf(gateway, false);
  const set = {
    credentials,
    configuration,
    make,
    clock,
    hooks,
    random: Math.random,
    names,
    near,
    changed,
  };
  const gateways = several || credentials.hostName !== null ? new GatewaySet(set) : null;
  const transport = inProcess?.transport() ?? only ?? (gateways as GatewaySet);
  const same = { clock, limiter, adaptive, lag, tokens, near };
  const { endpoint } = credentials.gateways()[0] ?? credentials;
  const running = { ...same, retryPolicy, transport: transport as Transport, hooks, log, endpoint };
  const servers = () => (gateways !== null && parts.transport === gateways ? gateways.servers : credentials.gateways());
  const random = { clock, random: Math.random };
  const channels = inProcess?.topics() ?? new TopicChannels({ servers, configuration, ...random });
  const topics = new TopicSubscriptions({ channels, configuration, headersFor, tokens, hooks, ...random });
  const parts: ClientParts = {
    ...same,
    hooks,
    log,
    endpoint,
    runner: new CallRunner(running),
    transport,
    gateways,
    topics,
  };
  return parts;
}

/** Returns the current statistics of a client, computed from its parts. */
export function statisticsOf(parts: ClientParts): ClientStatistics {
  const { limiter, adaptive, runner, transport, gateways, topics, near } = parts;
  return {
    ...(near === null ? {} : { nearCache: near.statistics() }),
    ...(gateways !== null && transport === gateways ? { gateways: gateways.statistics() } : {}),
    inFlight: limiter.inFlight,
    inFlightLimit: limiter.limit,
    targetOutOfReach: adaptive?.state === "outOfReach",
    queued: limiter.queued,
    connections: transport.connections,
    topics: topics.statistics(),
    pipelined: transport.pipelined,
    hits: runner.hits,
    misses: runner.misses,
  };
}

function ownHeaders(token: string | undefined): Record<string, string> {
  const own = { agent: `larder-node:${version}`, "runtime-version": `nodejs:${process.versions.node}` };
  return token === undefined ? own : { ...own, authorization: token };
}
