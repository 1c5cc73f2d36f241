import type { CacheErrorCode } from "../client/errors.js";
import type { NearCacheStatistics } from "../near/near-statistics.js";

/** The data of a call when it starts. */
export interface CallStart {
  /** Name of the operation. It is also the name of the client's method. */
  readonly operation: string;
  /** Name of the cache. Empty if the call does not use a cache. */
  readonly cacheName: string;
  /** Number of keys or items of a batch. 1 for other calls. */
  readonly batchSize: number;
  /** `host:port` of the server, or of the first server if there are several. */
  readonly endpoint: string;
}

/** The data of a call when it has ended. */
export interface CallReport extends CallStart {
  /** The `result` property of the call's response. */
  readonly result: string;
  /** Code of the error. Undefined if the call succeeded. */
  readonly errorCode: CacheErrorCode | undefined;
  /** Duration of the call in milliseconds: `cache.client.operation.duration`. */
  readonly durationMs: number;
  /** Time in the queue in milliseconds: `cache.client.queue.duration`. */
  readonly queueMs: number;
  /**
   * Time in milliseconds from the first attempt to the end of the call: `cache.client.wire.duration`. 0 if there was no
   * attempt.
   */
  readonly wireMs: number;
  /** Number of attempts. */
  readonly attempts: number;
  /** Number of items that a lookup found: `cache.hits`. 0 for other calls. */
  readonly hits: number;
  /** Number of items that a lookup did not find: `cache.misses`. 0 for other calls. */
  readonly misses: number;
}

/** The view of a client that hooks receive. Its statistics can be read at any time. */
export interface ClientFigures {
  /** `host:port` of the server, or of the first server if there are several. */
  readonly endpoint: string;
  statistics(): ClientStatistics;
}

/**
 * Receives a client's events. Hooks are called synchronously, so keep them short. An exception of a hook does not
 * affect the client. Only the first exception of each hook is logged. If there is no logger, it becomes a process
 * warning.
 */
export interface MetricsHooks {
  /** Called when a call starts, in the context of its caller. The return value is passed to `callEnded`. */
  readonly callStarted?: ((call: CallStart) => unknown) | undefined;
  /** Called when a call has ended. `started` is the result of `callStarted`, or undefined if that hook is not set. */
  readonly callEnded?: ((report: CallReport, started?: unknown) => void) | undefined;
  /** Called when a client was created. Gauges read the statistics of this client. */
  readonly clientOpened?: ((client: ClientFigures) => void) | undefined;
  /** Called when a client that was passed to `clientOpened` was closed. */
  readonly clientClosed?: ((client: ClientFigures) => void) | undefined;
  /**
   * Called when a connection was opened, lost or replaced, and when a gateway was removed from rotation or added again.
   * Also called when a server does not support the pipeline, and when a server first rejects the near cache.
   */
  readonly connectionChanged?: ((event: ConnectionEvent) => void) | undefined;
  /** Called when a subscription is live, was lost, has a gap or has ended. */
  readonly subscriptionChanged?: ((event: SubscriptionChange) => void) | undefined;
  /** Called when the adaptive limit has changed, or when its target has become reachable or unreachable. */
  readonly capChanged?: ((event: CapEvent) => void) | undefined;
}

/** A change of the adaptive limit. */
export interface CapEvent {
  readonly from: number;
  readonly to: number;
  readonly targetMs: number;
  /**
   * Whether the latency target is out of reach: a smaller limit does not help, because the server or the network is
   * slower than the target.
   */
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
  /**
   * `host:port` of the server. If the host name has several addresses, the IP address is included. Undefined for
   * `nearCacheRefused`.
   */
  readonly endpoint?: string | undefined;
  /** Code of the error that ended the connection. Undefined if `kind` is not `lost`. */
  readonly errorCode?: CacheErrorCode | undefined;
}

/** A change of a subscription. */
export interface SubscriptionChange {
  /**
   * `live`: the subscription was established, for the first time or again. `lost`: its stream was lost, and the client
   * subscribes again. `discontinuity`: messages may be missing. `ended`: no more events follow.
   */
  readonly kind: "live" | "lost" | "discontinuity" | "ended";
  readonly cacheName: string;
  readonly topic: string;
  /** The reason for the change, as a text for a log message. */
  readonly message: string;
}

/** A client's open subscriptions, and counters of their events since the client was created. */
export interface TopicStatistics {
  /** Gauge `cache.client.topic.subscriptions`: number of open subscriptions. */
  readonly subscriptions: number;
  /** Number of connections for subscriptions. Each connection has up to 100 streams. */
  readonly connections: number;
  /** Counter `cache.client.topic.items`: received messages. */
  readonly items: number;
  /** Counter `cache.client.topic.discontinuities`: reported gaps. */
  readonly discontinuities: number;
  /** Counter `cache.client.topic.reconnects`: number of times that a subscription continued after a lost connection. */
  readonly reconnects: number;
}

/** State of one gateway (GATEWAY-13). */
export interface GatewayStatistics {
  /** `host:port` of the gateway. If the host name has several addresses, the IP address is included. */
  readonly address: string;
  readonly connections: number;
  /**
   * Number of calls in flight on the gateway's connections, including abandoned calls whose response has not arrived.
   */
  readonly inFlight: number;
  /** Whether the gateway is removed from rotation, because it has no usable connection. */
  readonly leftOut: boolean;
}

/** State and counters of a client. */
export interface ClientStatistics {
  /** Gauge `cache.client.in_flight`: number of requests in flight. */
  readonly inFlight: number;
  /** Gauge `cache.client.in_flight.limit`: maximum number of requests in flight. */
  readonly inFlightLimit: number | "off";
  /**
   * Gauge `cache.client.target.out_of_reach`: whether the latency target of the adaptive limit cannot be met, not even
   * with a smaller limit. False if there is no target.
   */
  readonly targetOutOfReach: boolean;
  readonly queued: number;
  readonly connections: number;
  /** Whether calls use the pipeline. With `auto`, calls are unary if the server has no pipeline. */
  readonly pipelined: boolean;
  /** Statistics of the subscriptions. Publish calls are counted as other calls. */
  readonly topics: TopicStatistics;
  readonly hits: number;
  readonly misses: number;
  /**
   * Statistics of the near cache. Undefined if there is no near cache. The hits of the near cache are not included in
   * `hits`.
   */
  readonly nearCache?: NearCacheStatistics;
  /** Statistics of the gateways. Undefined if there is only one server. */
  readonly gateways?: readonly GatewayStatistics[];
}
