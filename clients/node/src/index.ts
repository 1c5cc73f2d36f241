export type { BatchFactory } from "./batch-aside.js";
export { BoundCache } from "./bound-cache.js";
export type { Factory } from "./cache-aside.js";
export { CacheClient } from "./client.js";
export type { LogFields, Logger } from "./client-log.js";
export type {
  BatchItems,
  CacheClientOptions,
  CallOptions,
  CollectionOptions,
  DictionaryItems,
  GetOrSetOptions,
  IncrementOptions,
  ListRange,
  ScanItemsOptions,
  ScanOptions,
  SetOptions,
  SortedSetAggregate,
  SortedSetElements,
  SortedSetOrder,
  SortedSetSources,
} from "./client-options.js";
export { bytesCodec, type Codec, type JsonCheck, jsonCodec, textCodec } from "./codec.js";
export * from "./collection-hits.js";
export type * from "./collection-options.js";
export * from "./collection-pages.js";
export { CollectionTtl } from "./collection-ttl.js";
export { type Configuration, type TransportKind, withSettings } from "./configuration.js";
export { Configurations, type VersionedConfiguration } from "./configurations.js";
export { CredentialProvider } from "./credential-provider.js";
export type { DecodeLimits } from "./decode-limits.js";
export { CacheError, type CacheErrorCode } from "./errors.js";
export type {
  CallReport,
  CallStart,
  CapEvent,
  ClientFigures,
  ClientStatistics,
  ConnectionEvent,
  MetricsHooks,
  SubscriptionChange,
  TopicStatistics,
} from "./metrics.js";
export type { NearCacheSettings } from "./near-settings.js";
export type { NearCacheStatistics } from "./near-statistics.js";
export type { Bytes } from "./proto-writer.js";
export * from "./responses.js";
export { ScoreBound } from "./score-bound.js";
export type { SubscribeOptions } from "./subscribe-options.js";
export type { TlsOptions } from "./tls-files.js";
export { TokenProvider } from "./token-provider.js";
export * from "./topic-events.js";
export type { TopicSubscription } from "./topic-subscription.js";
export type {
  TypedBatchItems,
  TypedCache,
  TypedGetBatchResponse,
  TypedGetResponse,
  TypedHit,
} from "./typed-cache.js";
export type { TypedCacheOptions } from "./typed-values.js";
export { version } from "./version.js";
