"""The agent's workload: random calls, calls replayed from a trace, and the timing of calls in the open loop."""

from __future__ import annotations

import asyncio
import itertools
import json
from asyncio import sleep
from pathlib import Path
from typing import Any

import pytest

from agent.load import Load
from agent.target import DONE, AgentError
from agent.trace import parse_trace
from agent.workload import Workload
from tests.support.agent_process import talk
from tests.support.fake_server import FakeServer

_LINES = ["time,op,key,size,ttlMs", "10.0,set,a,20,500", "10.5,get,a,20,", "12.0,set,b,3"]


def test_trace_workload_replays_calls_in_order_and_starts_over(tmp_path: Path) -> None:
    path = tmp_path / "trace.csv"
    path.write_text("\n".join(_LINES))
    workload = Workload({"trace": str(path), "ttlMs": 1_000}, 1)
    # The two callers take calls from the trace alternately.
    one, two = workload.steps(1), workload.steps(2)
    calls = [next(one), next(two), next(one), next(two)]
    assert [(step.key, step.value is None, step.ttl_ms) for step in calls] == [
        (b"a", False, 500),
        (b"a", True, 1_000),
        (b"b", False, 1_000),
        (b"a", False, 500),
    ]
    assert calls[2].value == b"bxx"
    assert not workload.preload and len(list(workload.every_key())) == 2


def test_trace_schedule_scales_call_intervals_to_the_requested_rate() -> None:
    # The three calls of the trace take 2 s. The average gap, 1 s, is added before the trace starts again, so one pass
    # takes 3 s. At 30 calls a second, one pass takes 0.1 s.
    trace = parse_trace(_LINES, 1_000)
    assert [round(trace.due_s(i, 30), 6) for i in range(5)] == [0, 0.016667, 0.066667, 0.1, 0.116667]


@pytest.mark.parametrize("line", ["1,get,a", "1,delete,a,5", "1,get,,5", "1,get,a,-5", "0.5,get,a,5", "1,set,a,5,0"])
def test_parse_trace_names_the_invalid_line(line: str) -> None:
    with pytest.raises(AgentError, match="line 2"):
        parse_trace(["0.9,get,a,5", line], 1)


def test_workload_gives_each_key_a_fixed_value_size() -> None:
    workload = Workload({"name": "production", "readRatio": 0, "zipf": 0, "keys": 5}, 1)
    sizes = {step.key: len(step.value or b"") for step in workload.every_key()}
    assert list(sizes.values()) == [300, 100, 1_000, 200, 50]
    assert all(len(step.value or b"") == sizes[step.key] for step in itertools.islice(workload.steps(3), 50))


async def test_open_loop_starts_due_calls_and_counts_unstarted_ones(server: FakeServer) -> None:
    opened = json.dumps({"id": 1, "op": "open", "endpoint": f"127.0.0.1:{server.port}"})
    load: dict[str, Any] = {
        "id": 2,
        "op": "load",
        "callers": 50,
        "seconds": 0.5,
        "warmupSeconds": 0,
        "arrivals": "uniform",
    }
    line = json.dumps(load | {"openLoopRatePerSecond": 400, "workload": {"keys": 10}})
    _, written = await talk([opened, line, '{"id":3,"op":"close"}'])
    begun, result = written[2]["progress"], written[3]
    assert (begun["second"], begun["requests"]) == (0, 0)
    assert result["requests"] + result["lateRequests"] + result["unstarted"] == 200
    assert result["serviceHistogram"] is not None
    # Callers were free, so the load generator itself caused the lateness of each call.
    assert sum(count for _, count in result["lateHistogram"]["counts"]) > 0


class SlowTarget:
    """A target whose calls each take the given time. With 0, a call ends without yielding to the event loop."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    async def get(self, key: bytes) -> None:
        if self._seconds:
            await sleep(self._seconds)

    async def set(self, key: bytes, value: bytes, ttl_ms: int) -> None:
        await self.get(key)

    def outcome(self, response: None) -> str:
        return DONE


async def count_turns(monkeypatch: pytest.MonkeyPatch, seconds: float, callers: int, rate: float) -> tuple[int, Any]:
    """Run an open loop for 0.2 s. Returns the number of sleeps, and the result."""
    turns = 0

    async def counted(delay_s: float) -> None:
        nonlocal turns
        turns += 1
        await sleep(delay_s)

    monkeypatch.setattr(asyncio, "sleep", counted)
    request: dict[str, Any] = {"callers": callers, "seconds": 0.2, "warmupSeconds": 0, "openLoopRatePerSecond": rate}
    request |= {"progress": False, "workload": {"preload": False}}
    load = Load(SlowTarget(seconds), request)  # type: ignore[arg-type]
    result = await load.run()
    return turns, result


async def test_open_loop_schedule_does_not_spin_while_callers_are_busy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns, result = await count_turns(monkeypatch, 0.02, 2, 1e5)
    assert result["unstarted"] > 0
    # All callers were busy, so the load generator did not cause the delay.
    assert sum(count for _, count in result["lateHistogram"]["counts"]) <= 2
    assert turns < 100


async def test_open_loop_schedule_wakes_at_most_once_per_millisecond(monkeypatch: pytest.MonkeyPatch) -> None:
    turns, result = await count_turns(monkeypatch, 0, 50, 20_000)
    assert result["requests"] + result["lateRequests"] > 2_000
    # The number of turns includes the sleeps that measure the loop's lag every 10 ms.
    assert turns < 230
