import type { CacheErrorCode } from "../client/errors.js";
import type { NearCacheStatistics } from "../near/near-statistics.js";

/** A call at its start. */
export interface CallStart {
  /** Name of the operation, which is the name of its method. */
  readonly operation: string;
  /** Name of the cache; empty for calls without one. */
  readonly cacheName: string;
  /** Number of keys or items of a batch; 1 for other calls. */
  readonly batchSize: number;
  /** `host:port` of the server; the first one if there are several. */
  readonly endpoint: string;
}

/** A call at its end. */
export interface CallReport extends CallStart {
  /** `result` of the response. */
  readonly result: string;
  /** Code of the error; undefined if the call succeeded. */
  readonly errorCode: CacheErrorCode | undefined;
  /** Duration of the call: `cache.client.operation.duration`. */
  readonly durationMs: number;
  /** Time in the queue: `cache.client.queue.duration`. */
  readonly queueMs: number;
  /** Time from the first attempt to the end, 0 if there was none: `cache.client.wire.duration`. */
  readonly wireMs: number;
  /** Number of attempts. */
  readonly attempts: number;
  /** Items that a lookup found: `cache.hits`. 0 for other calls. */
  readonly hits: number;
  /** Items that a lookup did not find: `cache.misses`. 0 for other calls. */
  readonly misses: number;
}

/** A client whose statistics can be read at any time. */
export interface ClientFigures {
  /** `host:port` of the server; the first one if there are several. */
  readonly endpoint: string;
  statistics(): ClientStatistics;
}

/**
 * Receives a client's events. Hooks are called synchronously: keep them short. Exceptions of hooks are ignored; the
 * first one is logged, or is a process warning if there is no logger.
 */
export interface MetricsHooks {
  /** A call starts, in the context of its caller. Its return value is passed to `callEnded`. */
  readonly callStarted?: ((call: CallStart) => unknown) | undefined;
  /** A call has ended. `started` is the return value of `callStarted`. */
  readonly callEnded?: ((report: CallReport, started?: unknown) => void) | undefined;
  /** A client was created. Gauges read its statistics. */
  readonly clientOpened?: ((client: ClientFigures) => void) | undefined;
  /** A client of `clientOpened` was closed. */
  readonly clientClosed?: ((client: ClientFigures) => void) | undefined;
  /** A connection was opened, lost or replaced, or the server has no pipeline or no near cache (reported once). */
  readonly connectionChanged?: ((event: ConnectionEvent) => void) | undefined;
  /** A subscription is live, was lost, has a gap or has ended. */
  readonly subscriptionChanged?: ((event: SubscriptionChange) => void) | undefined;
  /** The adaptive limit changed, or its target came into or out of reach. */
  readonly capChanged?: ((event: CapEvent) => void) | undefined;
}

/** A change of the adaptive limit. */
export interface CapEvent {
  readonly from: number;
  readonly to: number;
  readonly targetMs: number;
  /** Whether a smaller limit does not help: the server or the network is slower than the target. */
  readonly outOfReach: boolean;
}

export interface ConnectionEvent {
  readonly kind:
    | "opened"
    | "lost"
    | "setAside"
    | "pipelineUnsupported"
    | "nearCacheRefused"
    | "gatewayLeftOut"
    | "gatewayUp";
  readonly message: string;
  /** `host:port`, if known; with the IP address if the name has several. */
  readonly endpoint?: string | undefined;
  /** Code of the error that ended the connection. */
  readonly errorCode?: CacheErrorCode | undefined;
}

/** A change of a subscription. */
export interface SubscriptionChange {
  /** `live`: the subscription is established or re-established. `discontinuity`: a gap. `ended`: no more events. */
  readonly kind: "live" | "lost" | "discontinuity" | "ended";
  readonly cacheName: string;
  readonly topic: string;
  /** The reason, for a log. */
  readonly message: string;
}

/** A client's subscriptions, and counters of their events since the client was created. */
export interface TopicStatistics {
  /** Gauge `cache.client.topic.subscriptions`: open subscriptions. */
  readonly subscriptions: number;
  /** Connections for subscriptions, each with up to 100 streams. */
  readonly connections: number;
  /** Counter `cache.client.topic.items`. */
  readonly items: number;
  /** Counter `cache.client.topic.discontinuities`. */
  readonly discontinuities: number;
  /** Counter `cache.client.topic.reconnects`: subscriptions resumed after a lost connection. */
  readonly reconnects: number;
}

/** State of one gateway (GATEWAY-13). */
export interface GatewayStatistics {
  /** `host:port`; with the IP address if the name has several. */
  readonly address: string;
  readonly connections: number;
  /** Calls in flight on its connections, including abandoned calls without a response. */
  readonly inFlight: number;
  /** Whether it is removed from rotation because it has no usable connection. */
  readonly leftOut: boolean;
}

/** State and counters of a client. */
export interface ClientStatistics {
  /** Gauge `cache.client.in_flight`. */
  readonly inFlight: number;
  /** Gauge `cache.client.in_flight.limit`. */
  readonly inFlightLimit: number | "off";
  /** Gauge `cache.client.target.out_of_reach`: whether a smaller limit does not help. False without a target. */
  readonly targetOutOfReach: boolean;
  readonly queued: number;
  readonly connections: number;
  /** Whether calls use the pipeline (`auto` falls back to unary if the server has none). */
  readonly pipelined: boolean;
  /** Statistics of subscriptions. Publishing is a call like any other. */
  readonly topics: TopicStatistics;
  readonly hits: number;
  readonly misses: number;
  /** Near cache; undefined if there is none. Its hits are not part of `hits`. */
  readonly nearCache?: NearCacheStatistics;
  /** The gateways, if there are several. */
  readonly gateways?: readonly GatewayStatistics[];
}
