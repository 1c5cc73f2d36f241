"""What a client holds now."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayStatistics:
    """What is held of one gateway (GATEWAY-13)."""

    # host:port; of a name with several addresses, with the one that it stands for behind.
    address: str
    # Connections open.
    connections: int
    # Calls on them, those included that were abandoned and are not answered yet.
    in_flight: int
    # It gets no calls, as it has no connection that takes them.
    left_out: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicStatistics:
    """Of all subscriptions together."""

    # Those that have not ended.
    subscriptions: int = 0
    # Items and discontinuities that came so far.
    items: int = 0
    discontinuities: int = 0
    # Streams that were lost and asked for again.
    reconnects: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NearCacheStatistics:
    """Of a client's near cache since it was made, or its process forked (NEAR-28)."""

    # Gets that were answered with a copy.
    hits: int = 0
    # Answers that were kept.
    kept: int = 0
    # Copies dropped because the server told that they may have changed.
    invalidations: int = 0
    # How often the server told to drop everything.
    clears: int = 0
    # Answers that were not kept because the key may have changed while they were on their way.
    poisoned: int = 0
    # Copies dropped for want of room.
    evictions: int = 0
    # Copies now, and what they take.
    copies: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientStatistics:
    """Figures of one moment. With no call outstanding, `in_flight` and `queued` are 0."""

    # Calls that hold a permit.
    in_flight: int
    # The cap of the transport in use; None: off.
    in_flight_limit: int | None
    # The adaptive cap found that a smaller one does not help: the server or the network is slower than the target.
    target_out_of_reach: bool
    # Calls that wait for a permit.
    queued: int
    # Connections open, those of subscriptions included.
    connections: int
    # Whether calls travel by the pipeline (AUTO falls back to unary where the server has none).
    pipelined: bool
    # Each of the servers that calls go to; empty where there is but one.
    gateways: tuple[GatewayStatistics, ...] = ()
    topics: TopicStatistics = TopicStatistics()
