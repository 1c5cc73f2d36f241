"""Pre-built settings, so that nobody has to tune. A version is frozen for ever; `latest()` may improve."""

from __future__ import annotations

from larder_cache.configuration import Configuration


class Laptop:
    """Development against a server near or far: lenient deadlines."""

    @staticmethod
    def v1() -> Configuration:
        return Configuration(request_timeout_s=5.0, max_in_flight_unary=100, max_in_flight_pipeline=1_000)

    latest = v1


class InRegionDefault:
    """Beside the server, throughput first: more than this in flight only adds latency."""

    @staticmethod
    def v1() -> Configuration:
        return Configuration(request_timeout_s=1.1, max_in_flight_unary=50, max_in_flight_pipeline=1_000)

    latest = v1


class InRegionLowLatency:
    """Beside the server, tail latency first."""

    @staticmethod
    def v1() -> Configuration:
        return Configuration(request_timeout_s=0.5, max_in_flight_unary=5, max_in_flight_pipeline=50)

    latest = v1


class InRegion:
    """Beside the server, in the same region or rack."""

    Default = InRegionDefault
    LowLatency = InRegionLowLatency


class Lambda:
    """Processes that are frozen between calls: one channel, connected before the first call, no pings."""

    @staticmethod
    def v1() -> Configuration:
        return Configuration(
            request_timeout_s=1.1,
            max_in_flight_unary=50,
            max_in_flight_pipeline=1_000,
            eager_connect_timeout_s=10.0,
            keepalive_interval_s=None,
        )

    latest = v1


class Configurations:
    """`Configurations.Laptop.latest()`, `Configurations.InRegion.Default.v1()`, …"""

    Laptop = Laptop
    InRegion = InRegion
    Lambda = Lambda
