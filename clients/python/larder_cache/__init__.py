"""The asyncio client of Larder, a cache that runs as a server or as a fleet of gateways."""

from larder_cache._internal.client._generated.plain_calls import ValueAndHash, ValueAndLength
from larder_cache._internal.configuration.tls_files import TlsOptions
from larder_cache._internal.operations.arguments import BatchItem, Key, Value
from larder_cache._internal.operations.typed_responses import TypedGetBatchSuccess, TypedHit
from larder_cache._internal.telemetry.telemetry import Metrics
from larder_cache._internal.telemetry.tracing import Tracing
from larder_cache.cache import Cache
from larder_cache.cache_results import CacheResults
from larder_cache.cached import cached
from larder_cache.client import CacheClient
from larder_cache.collection_ttl import CollectionTtl
from larder_cache.configuration import Configuration, Transport
from larder_cache.configurations import Configurations
from larder_cache.credential_provider import CredentialProvider
from larder_cache.errors import CacheError, ErrorCode
from larder_cache.factory_context import FactoryContext
from larder_cache.get_or_set_options import GetOrSetOptions
from larder_cache.near_cache import NearCache
from larder_cache.open_telemetry import OpenTelemetryMetrics, OpenTelemetryTracing
from larder_cache.score_bound import ScoreBound
from larder_cache.sorted_set_options import SortedSetAggregate, SortedSetOrder
from larder_cache.token_provider import TokenProvider
from larder_cache.topic_event import TopicEvent
from larder_cache.topic_start import TopicStart
from larder_cache.topic_subscription import TopicSubscription
from larder_cache.ttl import Ttl
from larder_cache.typed_cache import TypedCache
from larder_cache.typed_results import TypedResults

__all__ = [
    "BatchItem",
    "Cache",
    "CacheClient",
    "CacheError",
    "CacheResults",
    "CollectionTtl",
    "Configuration",
    "Configurations",
    "CredentialProvider",
    "ErrorCode",
    "FactoryContext",
    "GetOrSetOptions",
    "Key",
    "Metrics",
    "NearCache",
    "OpenTelemetryMetrics",
    "OpenTelemetryTracing",
    "ScoreBound",
    "SortedSetAggregate",
    "SortedSetOrder",
    "TlsOptions",
    "TokenProvider",
    "TopicEvent",
    "TopicStart",
    "TopicSubscription",
    "Tracing",
    "Transport",
    "Ttl",
    "TypedCache",
    "TypedGetBatchSuccess",
    "TypedHit",
    "TypedResults",
    "Value",
    "ValueAndHash",
    "ValueAndLength",
    "cached",
]
