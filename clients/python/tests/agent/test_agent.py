"""The agent as a process: its responses to valid and invalid lines."""

from __future__ import annotations

import json
from typing import Any

import grpc
from hypothesis import given, strategies

from agent.histogram import cells, histogram, index_of, value_of
from tests.near.near_server import NearServer
from tests.support.agent_process import talk
from tests.support.fake_server import FakeServer
from tests.topics.fake_topics import PAGE, FakeTopics, Stream


async def test_agent_reports_invalid_lines_as_errors_and_continues(server: FakeServer) -> None:
    opened = json.dumps({"id": 1, "op": "open", "endpoint": f"127.0.0.1:{server.port}", "maxInFlight": 9})
    exit_code, written = await talk(
        ["not JSON", '{"op":"get"}', '{"id":2,"op":"get","key":"k"}', opened, opened.replace('"id": 1', '"id": 3')]
        + [
            '{"id":4,"op":"nonsense"}',
            '{"id":5,"op":"set","key":"k","valueBase64":"/w=="}',
            '{"id":6,"op":"get","key":"k"}',
        ]
        + ['{"id":7,"op":"stats"}', '{"id":8,"op":"close"}']
    )
    assert exit_code == 0
    assert written[0] == {"ready": {"agent": "python", "protocol": 1}}
    codes = [line.get("error", {}).get("code") for line in written[1:]]
    assert codes == ["AgentError"] * 3 + [None, "AgentError", "AgentError", None, None, None, None]
    assert written[4]["maxInFlight"] == 9
    assert written[8] == {"id": 6, "result": "hit", "valueBase64": "/w=="}
    assert (written[9]["inFlight"], written[9]["queued"]) == (0, 0)


async def test_agent_routes_each_request_to_the_client_it_names(
    server: FakeServer,
) -> None:
    def line(number: int, op: str, **fields: object) -> str:
        return json.dumps({"id": number, "op": op, **fields})

    endpoint = f"127.0.0.1:{server.port}"
    exit_code, written = await talk(
        [
            line(1, "open", endpoint=endpoint, maxInFlight=9),
            line(2, "open", endpoint=endpoint, maxInFlight=8, named="b"),
            line(3, "open", endpoint=endpoint, named="b"),
            line(4, "close"),
            line(5, "stats"),
            line(6, "stats", named="b"),
        ]
    )
    assert exit_code == 0
    codes = [answer.get("error", {}).get("code") for answer in written[1:]]
    assert codes == [None, None, "AgentError", None, "AgentError", None]
    assert written[6]["inFlightLimit"] == 8


async def test_agent_applies_valid_settings_and_rejects_invalid_ones() -> None:
    settings: list[dict[str, Any]] = [
        {},
        {
            "maxInFlightPipeline": "off",
            "keepaliveIntervalMs": "off",
            "requestTimeoutMs": 0.5 + 1_500,
            "headers": {"a": "b"},
        },
        {"queueLimit": -1},
        {"queueLimit": "many"},
        {"requestTimeoutMs": True},
        {"transport": "train"},
        {"noSuch": 1},
    ]
    lines = [
        json.dumps({"id": i, "op": "configuration", "configuration": "lambda.v1", "settings": each})
        for i, each in enumerate(settings)
    ]
    exit_code, written = await talk([*lines, '{"id":9,"op":"configuration","configuration":"lambda.v2"}'])
    assert exit_code == 0
    assert written[1] == {
        "id": 0,
        "result": "success",
        "settings": {
            "requestTimeoutMs": 1_100,
            "maxInFlightUnary": 50,
            "maxInFlightPipeline": 1_000,
            "adaptiveTargetMs": "off",
            "queueLimit": 20_000,
            "channels": 1,
            "maxRetries": 3,
            "retryBudget": 0.1,
            "initialBackOffMs": 80,
            "maxBackOffMs": 1_000,
            "transport": "auto",
            "eagerConnect": True,
            "connectTimeoutMs": 5_000,
            "keepaliveIntervalMs": "off",
            "keepaliveTimeoutMs": 1_000,
            "headers": {},
            "nearCache": "off",
        },
    }
    changed = written[1]["settings"] | settings[1]
    assert written[2] == {"id": 1, "result": "success", "settings": changed}
    refusals = [line["error"] for line in written[3:]]
    assert [each["code"] for each in refusals] == ["InvalidArgument"] * 5 + ["AgentError"]
    named = ["queue_limit", "queue_limit", "request_timeout_s", "transport", "noSuch", "lambda.v2"]
    assert [name in each["message"] for name, each in zip(named, refusals, strict=True)] == [True] * 6


async def test_load_run_counts_every_request_exactly_once(server: FakeServer) -> None:
    load = {"id": 2, "op": "load", "callers": 10, "seconds": 1, "warmupSeconds": 0, "verify": True, "progress": False}
    load |= {"sliceMs": 200}
    opened = json.dumps({"id": 1, "op": "open", "endpoint": f"127.0.0.1:{server.port}"})
    exit_code, written = await talk([opened, json.dumps(load)])
    result = written[-1]
    assert exit_code == 0 and result["errors"] == {} and result["crossed"] == 0
    counted = sum(count for _, count in result["histogram"]["counts"])
    assert counted == result["requests"] + result["lateRequests"] == result["reads"] + result["writes"]
    assert result["hits"] + result["misses"] == result["reads"] > 0
    slices = result["slices"]
    assert len(slices) >= 2 and slices[-1]["endMs"] == 1_000
    assert sum(count for one in slices for _, count in one["counts"]) == counted


@given(strategies.integers(0, 2**42 - 1))
def test_histogram_relative_error_is_at_most_1_in_1024(ns: int) -> None:
    assert ns <= value_of(index_of(ns)) <= ns + max(1, ns // 1024)


def test_histogram_indexes_match_the_agent_protocol() -> None:
    assert [index_of(ns) for ns in (2_047, 2_048, 1_000_000, 4_398_046_511_103)] == [2_047, 2_048, 11_169, 33_791]
    assert [value_of(index) for index in (2_048, 11_169)] == [2_049, 1_000_447]
    assert cells([900, 1_000, 2_000_000, 2_001_000]) == [[0, 2], [43, 2]]
    assert histogram([5, 5, 7]) == {"unit": "ns", "counts": [[5, 2], [7, 1]], "maxNs": 7, "sumNs": 17}


async def test_agent_reads_topics_subscribed_in_an_earlier_request() -> None:
    async with FakeTopics() as topics:
        opened = {"op": "open", "endpoint": f"127.0.0.1:{topics.port}", "transport": "unary"}
        lines: list[dict[str, Any]] = [
            opened,
            {"op": "subscribe", "topic": "t", "as": "s", "from": "now"},
            {"op": "subscribe", "topic": "t", "as": "s"},
            {"op": "publish", "topic": "t", "value": "größe"},
            {"op": "publish", "topic": "t", "valueBase64": "/w=="},
            {"op": "next", "subscription": "s", "count": 2},
            {"op": "next", "subscription": "s", "count": 1, "timeoutMs": 10},
            {"op": "unsubscribe", "subscription": "s"},
            {"op": "next", "subscription": "s", "count": 1},
            {"op": "subscribe", "topic": "t", "as": "s", "resumeAt": "2", "page": str(PAGE)},
            {"op": "next", "subscription": "s", "count": 1},
            {"op": "subscribe", "topic": "", "as": "bad"},
            {"op": "unsubscribe", "subscription": "bad"},
            {"op": "subscribe", "topic": "t", "as": "bad", "from": "then"},
            {"op": "close"},
        ]
        exit_code, written = await talk([json.dumps({"id": n} | line) for n, line in enumerate(lines)])
    assert exit_code == 0
    answers = written[1:]
    text = {"event": "item", "valueBase64": "Z3LDtsOfZQ==", "value": "größe", "kind": "text"}
    data = {"event": "item", "valueBase64": "/w==", "kind": "binary"}
    about = {"page": str(PAGE), "publisher": ""}
    assert answers[5]["events"] == [text | about | {"number": "1"}, data | about | {"number": "2"}]
    assert answers[6]["events"] == []
    assert answers[10]["events"] == [data | about | {"number": "2"}]
    codes = [answer.get("error", {}).get("code") for answer in answers]
    bad = {2: "AgentError", 8: "AgentError", 11: "InvalidArgument", 12: "AgentError", 13: "AgentError"}
    assert codes == [bad.get(n) for n in range(len(lines))]


async def test_agent_reports_subscription_end_once_after_its_error() -> None:
    async def script(stream: Stream) -> None:
        await stream.heartbeat()
        await stream.fail(grpc.StatusCode.NOT_FOUND, "deleted", "some_cause")

    async with FakeTopics() as topics:
        topics.script = script
        lines: list[dict[str, Any]] = [
            {"op": "open", "endpoint": f"127.0.0.1:{topics.port}", "transport": "unary"},
            {"op": "subscribe", "topic": "t", "as": "s", "heartbeats": True},
            {"op": "next", "subscription": "s", "count": 5},
            {"op": "next", "subscription": "s", "count": 5},
            {"op": "unsubscribe", "subscription": "s"},
        ]
        _, written = await talk([json.dumps({"id": n} | line) for n, line in enumerate(lines)])
    told = written[3]["events"]
    assert [each["event"] for each in told] == ["heartbeat", "error", "end"]
    assert (told[1]["error"]["code"], told[1]["error"]["cause"]) == ("NotFound", "some_cause")
    assert written[4]["events"] == [] and written[5]["result"] == "success"


async def test_agent_applies_near_cache_settings_and_rejects_invalid_ones() -> None:
    def near(number: int, **parts: Any) -> str:
        return json.dumps({"id": number, "op": "configuration", "settings": {"nearCache": parts}})

    whole = {"maxBytes": 65_536, "maxAgeMs": 1_000, "caches": ["cache"], "keyPrefixes": ["user:"]}
    wrong: list[dict[str, Any]] = [{}, {"most": 1, "maxBytes": 1_024}, {"maxBytes": 1_023}, {"maxBytes": "off"}]
    wrong += [{"maxBytes": 1_024, "caches": "text"}, {"maxBytes": 1_024, "keyPrefixes": "off"}]
    async with NearServer() as server:
        opened = {"id": 90, "op": "open", "endpoint": f"127.0.0.1:{server.port}", "nearCacheBytes": 65_536}
        lines = [near(1, **whole), near(2, maxBytes=1_024), *(near(3, **each) for each in wrong)]
        _, written = await talk([*lines, json.dumps(opened), '{"id":91,"op":"get","key":"k"}'])
        assert server.received["near_open"] == 1
    told = [line.get("settings", {}).get("nearCache") for line in written[1:3]]
    assert told == [whole, {"maxBytes": 1_024, "maxAgeMs": 60_000}]
    for line in written[3 : 3 + len(wrong)]:
        assert line["error"]["code"] == "InvalidArgument" and "near_cache" in line["error"]["message"], line
