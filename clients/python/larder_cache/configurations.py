"""Pre-built settings, so that nobody has to tune. A version is frozen for ever; `latest()` may improve.

Caps of unary calls are those of the published tuning runs, run again beside our own figures in `docs/story/python.md`;
pipelined ones are the knees of our own, through a delay proxy that stands for the network
(`tuner/results/in-region-1ms`, `tuner/results/laptop-30ms`).
"""

from __future__ import annotations

from larder_cache.configuration import Configuration


class Laptop:
    """Development against a server near or far: lenient deadlines.

    Over 30 to 35 ms there and back, each call in flight gets 30 a second done, whatever the language: 1,000 in flight,
    27,000 a second (measured with the .NET client). Unary, 100 in flight: `docs/story/python.md`, "Five to five
    thousand callers" and "From a laptop".
    """

    @staticmethod
    def v1() -> Configuration:
        return Configuration(request_timeout_s=5.0, max_in_flight_unary=100, max_in_flight_pipeline=1_000)

    latest = v1


class InRegionDefault:
    """Beside the server, throughput first: p99.9 under 20 ms; more than this in flight only adds latency.

    Over 1 ms there and back, 987 in flight gave 161,620 calls a second at p99.9 11.7 ms; 1,597 no more, at 22.8 ms.
    Unary, 50 in flight: `docs/story/python.md`, "In the server's region" and "Two targets".
    """

    @staticmethod
    def v1() -> Configuration:
        return Configuration(request_timeout_s=1.1, max_in_flight_unary=50, max_in_flight_pipeline=1_000)

    latest = v1


class InRegionLowLatency:
    """Beside the server, tail latency first: p99.9 under 5 ms.

    Over 1 ms there and back, 377 in flight gave 132,849 calls a second at p99.9 4.97 ms, 610 were over it with 6.74 ms.
    Unary, 5 in flight: `docs/story/python.md`, "In the server's region" and "Two targets".
    """

    @staticmethod
    def v1() -> Configuration:
        return Configuration(request_timeout_s=0.5, max_in_flight_unary=5, max_in_flight_pipeline=350)

    latest = v1


class InRegion:
    """Beside the server, in the same region or rack."""

    Default = InRegionDefault
    LowLatency = InRegionLowLatency


class Lambda:
    """Processes that are frozen between calls: one channel, connected before the first call, no pings.

    Idle connections are replaced after the process was stopped for more than 4 s, and after a call timed out while its
    connection received nothing.
    """

    @staticmethod
    def v1() -> Configuration:
        return Configuration(
            request_timeout_s=1.1,
            max_in_flight_unary=50,
            max_in_flight_pipeline=1_000,
            eager_connect=True,
            keepalive_interval_s=None,
        )

    latest = v1


class Configurations:
    """`Configurations.Laptop.latest()`, `Configurations.InRegion.Default.v1()`, …"""

    Laptop = Laptop
    InRegion = InRegion
    Lambda = Lambda
