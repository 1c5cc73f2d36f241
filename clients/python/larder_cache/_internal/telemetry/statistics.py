"""Snapshots of the state of a client."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayStatistics:
    """The statistics of one gateway (GATEWAY-13)."""

    # host:port. If the host name has several addresses, the address of the gateway follows.
    address: str
    # The number of open connections.
    connections: int
    # The number of calls on the connections. Includes abandoned calls that have no response yet.
    in_flight: int
    # Whether the gateway gets no calls, because none of its connections accepts calls.
    left_out: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicStatistics:
    """The totals of all subscriptions."""

    # The number of subscriptions that have not ended.
    subscriptions: int = 0
    # The number of items and of discontinuities received so far.
    items: int = 0
    discontinuities: int = 0
    # The number of streams that were lost and reopened.
    reconnects: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NearCacheStatistics:
    """The statistics of a client's near cache since it was created, or since its process was forked (NEAR-28)."""

    # The number of gets that returned a local copy.
    hits: int = 0
    # The number of responses that were kept as copies.
    kept: int = 0
    # The number of copies removed because the server invalidated them.
    invalidations: int = 0
    # The number of times that the server requested the removal of all copies.
    clears: int = 0
    # The number of responses that were not kept, because their key may have changed while the call was in flight.
    poisoned: int = 0
    # The number of copies evicted because of the size limit.
    evictions: int = 0
    # The number of current copies, and their size in bytes.
    copies: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientStatistics:
    """A snapshot of the state of a client. If no call is running, `in_flight` and `queued` are 0."""

    # The number of calls that have a permit.
    in_flight: int
    # The concurrency limit of the current transport. None means unlimited.
    in_flight_limit: int | None
    # Whether the server or the network is too slow for the latency target. The adaptive limit found that even a smaller
    # limit does not reach the target.
    target_out_of_reach: bool
    # The number of calls that wait for a permit.
    queued: int
    # The number of open connections, including those of subscriptions.
    connections: int
    # Whether calls use the pipeline. With AUTO, calls fall back to unary if the server has no pipeline.
    pipelined: bool
    # The statistics of the servers among which calls are distributed. Empty if there is only one server.
    gateways: tuple[GatewayStatistics, ...] = ()
    topics: TopicStatistics = TopicStatistics()
