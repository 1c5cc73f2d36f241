/**
 * The client: caches, configurations, codecs and errors.
 *
 * @module larder-cache
 */

export { Cache } from "./client/cache.js";
export { CacheClient } from "./client/client.js";
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
} from "./client/client-options.js";
export { CacheError, type CacheErrorCode } from "./client/errors.js";
export { orThrow } from "./client/or-throw.js";
export {
  type BatchResponses,
  type CacheInfo,
  type ConditionalResponse,
  ErrorResponse,
  HashHit,
  Hit,
  type ItemType,
  type KeysPage,
  type LookupResponse,
  Miss,
  type NotStored,
  type ScannedKey,
  type Stored,
  type Success,
  type SuccessResponse,
} from "./client/responses.js";
export { version } from "./client/version.js";
export { bytesCodec, type Codec, type JsonCheck, jsonCodec, textCodec } from "./codecs/codec.js";
export type { DecodeLimits } from "./codecs/decode-limits.js";
export type {
  TypedBatchItems,
  TypedCache,
  TypedHit,
} from "./codecs/typed-cache.js";
export type { TypedCacheOptions } from "./codecs/typed-values.js";
export * from "./collections/collection-hits.js";
export * from "./collections/collection-pages.js";
export { CollectionTtl } from "./collections/collection-ttl.js";
export { ScoreBound } from "./collections/score-bound.js";
export type { Configuration, TransportKind } from "./configuration/configuration.js";
export { withSettings } from "./configuration/configuration-check.js";
export { Configurations, type VersionedConfiguration } from "./configuration/configurations.js";
export { type CredentialOptions, CredentialProvider } from "./configuration/credential-provider.js";
export type { TlsOptions } from "./configuration/tls-files.js";
export { TokenProvider } from "./configuration/token-provider.js";
export type { BatchFactory } from "./leases/batch-cache-aside.js";
export type { Factory } from "./leases/cache-aside.js";
export type { FactoryContext } from "./leases/factory-context.js";
export type { NearCacheSettings } from "./near/near-settings.js";
export type { NearCacheStatistics } from "./near/near-statistics.js";
export type * from "./operations/_generated/collection-options.js";
export type { Bytes } from "./operations/proto-writer.js";
export type { LogFields, Logger } from "./telemetry/client-log.js";
export type {
  CallReport,
  CallStart,
  CapEvent,
  ClientFigures,
  ClientStatistics,
  ConnectionEvent,
  GatewayStatistics,
  MetricsHooks,
  SubscriptionChange,
  TopicStatistics,
} from "./telemetry/metrics.js";
export type { SubscribeOptions } from "./topics/subscribe-options.js";
export * from "./topics/topic-events.js";
export type { TopicSubscription } from "./topics/topic-subscription.js";
