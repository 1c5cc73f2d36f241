import type { CacheErrorCode } from "../client/errors.js";
import type { NearCacheStatistics } from "../near/near-statistics.js";

/** A call as it is made. */
export interface CallStart {
  /** Name of the operation, as its method is called. */
  readonly operation: string;
  /** The cache it is for; empty where it has none. */
  readonly cacheName: string;
  /** Keys or items of a batch; 1 of what is none. */
  readonly batchSize: number;
  /** Where the client's calls go, `host:port`: of several servers the first. */
  readonly endpoint: string;
}

/** How one call went. */
export interface CallReport extends CallStart {
  /** `result` of the response; for a failure `error`. */
  readonly result: string;
  /** The code of a failure. */
  readonly errorCode: CacheErrorCode | undefined;
  /** From the call to its end: `cache.client.operation.duration`. */
  readonly durationMs: number;
  /** Waiting for the cap: `cache.client.queue.duration`. */
  readonly queueMs: number;
  /** From the first send to the end, 0 if never sent: `cache.client.wire.duration`. */
  readonly wireMs: number;
  /** Sends, the first included. */
  readonly attempts: number;
  /** Items that a look-up found: `cache.hits`; and did not: `cache.misses`. 0 of what is no look-up. */
  readonly hits: number;
  readonly misses: number;
}

/** A client whose figures can be read at any time. */
export interface ClientFigures {
  /** Where its calls go, `host:port`: of several servers the first. */
  readonly endpoint: string;
  statistics(): ClientStatistics;
}

/** Where a client reports what it does. It is called in line: be quick. What a hook throws ends nothing; the first fault is told to the logger, and without one as a process warning. */
export interface MetricsHooks {
  /** A call is made, in the context of its caller. What this answers is given to `callEnded`. */
  readonly callStarted?: ((call: CallStart) => unknown) | undefined;
  /** A call has ended. `started`: what `callStarted` answered. */
  readonly callEnded?: ((report: CallReport, started?: unknown) => void) | undefined;
  /** A client is made: for gauges, which are read when they are asked for. */
  readonly clientOpened?: ((client: ClientFigures) => void) | undefined;
  /** A client, as `clientOpened` was told of it, is closed. */
  readonly clientClosed?: ((client: ClientFigures) => void) | undefined;
  /**
   * Something about a connection changed, in words for a log: opened, lost, set aside, no pipeline at the server, no near
   * cache there (told once).
   */
  readonly connectionChanged?: ((event: ConnectionEvent) => void) | undefined;
  /** A subscription is followed, was lost, has a gap, or has ended. */
  readonly subscriptionChanged?: ((event: SubscriptionChange) => void) | undefined;
  /** The adaptive cap moved, or its target came into or out of reach. */
  readonly capChanged?: ((event: CapEvent) => void) | undefined;
}

/** The adaptive cap after a change. */
export interface CapEvent {
  readonly from: number;
  readonly to: number;
  readonly targetMs: number;
  /** True while a smaller cap was found not to help: the server or the network is slower than the target. */
  readonly outOfReach: boolean;
}

export interface ConnectionEvent {
  readonly kind:
    | "opened"
    | "lost"
    | "setAside"
    | "pipelineUnsupported"
    | "nearCacheRefused"
    | "frontLeftOut"
    | "frontUp";
  readonly message: string;
  /** `host:port`, where it is known; of a name with several addresses with the one it is. */
  readonly endpoint?: string | undefined;
  /** Why it was lost. */
  readonly errorCode?: CacheErrorCode | undefined;
}

/** What a subscription went through. */
export interface SubscriptionChange {
  /** `live`: its topic is followed; after `lost`, again. `discontinuity`: messages are missing. `ended`: nothing comes any more. */
  readonly kind: "live" | "lost" | "discontinuity" | "ended";
  readonly cacheName: string;
  readonly topic: string;
  /** Why, in words for a log. */
  readonly message: string;
}

/** What a client holds of topics, and what its subscriptions were told since it was made. */
export interface TopicStatistics {
  /** Gauge `cache.client.topic.subscriptions`: those that are open. */
  readonly subscriptions: number;
  /** Connections of their own, of 100 streams each. */
  readonly connections: number;
  /** Counter `cache.client.topic.items`. */
  readonly items: number;
  /** Counter `cache.client.topic.discontinuities`. */
  readonly discontinuities: number;
  /** Counter `cache.client.topic.reconnects`: streams that were followed again after a loss. */
  readonly reconnects: number;
}

/** What is held of one front (FRONT-13). */
export interface FrontStatistics {
  /** `host:port`; of a name with several addresses, with the one that it stands for behind. */
  readonly address: string;
  readonly connections: number;
  /** Calls on its connections, those included that were abandoned and are not answered yet. */
  readonly inFlight: number;
  /** It gets no calls, as it has no connection that takes them. */
  readonly leftOut: boolean;
}

/** What a client holds now. */
export interface ClientStatistics {
  /** Gauge `cache.client.in_flight`. */
  readonly inFlight: number;
  /** Gauge `cache.client.in_flight.limit`. */
  readonly inFlightLimit: number | "off";
  /** Gauge `cache.client.target.out_of_reach`: a smaller cap was found not to help. False without a target. */
  readonly targetOutOfReach: boolean;
  readonly queued: number;
  readonly connections: number;
  /** Whether calls travel by the pipeline (`auto` falls back to unary where the server has none). */
  readonly pipelined: boolean;
  /** Publishing is a call like any other; this is what subscriptions hold and have told. */
  readonly topics: TopicStatistics;
  readonly hits: number;
  readonly misses: number;
  /** What the near cache holds and has done; not there where there is none. Its hits are not among the client's. */
  readonly nearCache?: NearCacheStatistics;
  /** Each of the servers that calls go to; not there where there is but one. */
  readonly fronts?: readonly FrontStatistics[];
}
