"""Snapshots of a client's state."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayStatistics:
    """The statistics of one gateway (GATEWAY-13)."""

    # host:port; if its name has several addresses, followed by its address.
    address: str
    # The number of open connections.
    connections: int
    # Calls on them, including abandoned ones without a response yet.
    in_flight: int
    # Whether it gets no calls, because it has no connection that accepts them.
    left_out: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicStatistics:
    """The totals of all subscriptions."""

    # Subscriptions that have not ended.
    subscriptions: int = 0
    # Items and discontinuities received so far.
    items: int = 0
    discontinuities: int = 0
    # Streams that were lost and reopened.
    reconnects: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NearCacheStatistics:
    """The statistics of a client's near cache since it was created, or since its process was forked (NEAR-28)."""

    # Gets that a copy answered.
    hits: int = 0
    # Responses that were kept.
    kept: int = 0
    # Copies dropped because the server invalidated them.
    invalidations: int = 0
    # The number of times that the server requested to drop everything.
    clears: int = 0
    # Responses that were not kept, because the key may have changed while they were in flight.
    poisoned: int = 0
    # Copies dropped to make room.
    evictions: int = 0
    # Current copies, and their size in bytes.
    copies: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientStatistics:
    """A snapshot of a client. With no call outstanding, `in_flight` and `queued` are 0."""

    # Calls that hold a permit.
    in_flight: int
    # The limit of the current transport; None: unlimited.
    in_flight_limit: int | None
    # The adaptive limit found that a smaller one does not help: the server or the network is slower than the target.
    target_out_of_reach: bool
    # Calls that wait for a permit.
    queued: int
    # Open connections, including those of subscriptions.
    connections: int
    # Whether calls use the pipeline (AUTO falls back to unary if the server has none).
    pipelined: bool
    # The servers that calls are spread over; empty if there is only one.
    gateways: tuple[GatewayStatistics, ...] = ()
    topics: TopicStatistics = TopicStatistics()
