// The types of the server's responses: the records in Console/Api, and the response of /stats.

export interface Session {
  readonly version: string;
  readonly csrf: string;
  readonly mayAct: boolean;
  readonly canAct: boolean;
  readonly isGateway: boolean;
  readonly maxTtlMs: number;
}

/** A histogram bucket: its upper bound in microseconds, and its number of calls. */
export type Bucket = readonly [number, number];

export interface Rpc {
  readonly rpc: string;
  readonly transport: string;
  readonly count: number;
  readonly failures: Readonly<Record<string, number>>;
  readonly buckets: readonly Bucket[];
}

export interface Evictions {
  readonly memory: number;
  readonly expired: number;
  readonly flushed: number;
  readonly quota: number;
}

export interface CacheFigures {
  readonly hits: number;
  readonly misses: number;
  readonly hitRatio: number;
  readonly sets: number;
  readonly entries: number;
  readonly bytes: number;
  readonly overheadBytes: number;
  /** The cache's quota in bytes; 0 if the cache has no quota. */
  readonly maxBytes: number;
  readonly evictions: Evictions;
}

export interface Store {
  readonly maxMemoryBytes: number;
  readonly usedMemoryBytes: number;
  readonly fragmentationBytes: number;
  readonly flushedBytes: number;
  readonly shadow: { readonly halfMemory: number; readonly presentMemory: number; readonly doubleMemory: number } | null;
  readonly total: CacheFigures;
}

export interface FleetNode {
  readonly name: string;
  readonly role: "master" | "replica";
  readonly slots: number;
  readonly isConnected: boolean;
  readonly whyNot: string | null;
  readonly outstanding: number;
  readonly reconnects: number;
  readonly latencyUs: number;
  readonly lagBytes: number | null;
}

export interface Fleet {
  readonly isReady: boolean;
  readonly whyNotReady: string | null;
  readonly isCluster: boolean | null;
  readonly coveredSlots: number;
  readonly answered: number;
  readonly outstanding: number;
  readonly waiting: number;
  readonly moved: number;
  readonly asked: number;
  readonly retried: number;
  readonly late: number;
  readonly refreshed: number;
  readonly failures: Readonly<Record<string, number>>;
  readonly nodes: readonly FleetNode[];
}

export interface Stats {
  readonly version: string;
  readonly isReady: boolean;
  readonly uptimeSeconds: number;
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  readonly connections: number;
  readonly pipelines: number;
  readonly buffers: { readonly limitBytes: number; readonly usedBytes: number; readonly refusals: number };
  readonly rpcs: readonly Rpc[];
  readonly topics: {
    readonly topics: number;
    readonly subscribers: number;
    readonly messages: number;
    readonly deliveries: number;
    readonly gaps: number;
    readonly usedBytes: number;
    readonly limitBytes: number;
  };
  readonly store: Store;
  readonly fleet: Fleet | null;
}

export interface HotKey {
  readonly cache: string;
  readonly key: string;
  readonly keyBytes: number;
  readonly share: number;
  readonly callsPerSecond: number;
}

export interface SlowKey {
  readonly cache: string;
  readonly key: string;
  readonly keyBytes: number;
  readonly call: string;
  readonly tookUs: number;
}

export interface Overview {
  readonly stats: Stats;
  readonly whyNotReady: string | null;
  readonly clients: readonly { readonly client: string; readonly language: string; readonly connections: number }[];
  readonly sampleGap: number;
  readonly hottest: readonly HotKey[] | null;
  readonly slowest: readonly SlowKey[] | null;
}

export interface Caches {
  readonly caches: readonly { readonly name: string; readonly stats: CacheFigures | null }[];
  readonly total: number;
}

export interface Topics {
  readonly topics: readonly {
    readonly cache: string;
    readonly topic: string;
    readonly newest: number;
    readonly subscribers: number;
    readonly messages: number;
    readonly messageBytes: number;
    readonly deliveries: number;
    readonly gaps: number;
    readonly kept: number;
    readonly keptBytes: number;
    readonly slowestBehind: number;
  }[];
  readonly total: number;
}

export interface TokenUses {
  readonly tokens: readonly {
    readonly id: string;
    readonly grants: readonly string[];
    readonly moreGrants: number;
    readonly expires: string | null;
    readonly hasExpired: boolean;
    readonly calls: number;
    readonly streams: number;
    readonly lastSeen: string | null;
    readonly address: string;
  }[];
  readonly total: number;
}

export interface AuditEntries {
  readonly entries: readonly {
    readonly kind: string;
    readonly who: string;
    readonly address: string;
    readonly what: string;
    readonly cache: string;
    readonly first: string;
    readonly last: string;
    readonly count: number;
  }[];
}

/** One response of the overview. `at` is the time at which the page received the response, in seconds on the page's clock. */
export interface Reading {
  readonly at: number;
  readonly overview: Overview;
}

/** A view of the console. The page contains the view's element only while the view is shown. */
export interface View {
  readonly id: string;
  readonly title: string;
  readonly element: HTMLElement;
  /** Called when the view is added to the page. */
  show?(): void;
  /** Called when the view is removed from the page. */
  hide?(): void;
  /** Called with each new reading while the view is shown. */
  update?(reading: Reading): void;
}

export interface Key {
  readonly key: string;
  readonly keyBytes: number;
  readonly type: string;
  readonly remainingMs: number;
  readonly bytes: number | null;
}

export interface Keys {
  readonly keys: readonly Key[];
  readonly cursor: string;
}

export interface Item {
  readonly type: string;
  readonly remainingMs: number;
  readonly bytes: number | null;
  readonly value: string | null;
}

export interface Element {
  readonly name: string;
  readonly nameBytes: number;
  readonly value: string | null;
  readonly valueBytes: number;
  readonly score: string | null;
}

export interface Elements {
  readonly count: number;
  readonly first: number | null;
  readonly elements: readonly Element[];
  readonly cursor: string;
}
