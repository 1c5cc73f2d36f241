"""C1: no argument makes the client leak a permit or an id, hang, or leave a caller without a response."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from larder_cache import CacheClient, CacheError, Configuration, CredentialProvider, ErrorCode
from larder_cache import responses as r
from protobuf_messages import pipeline_pb2 as pipe
from tests.conftest import PATIENCE_S, capped, client_of, stable_id, until
from tests.support.fake_server import FakeServer

HOSTILE: list[Any] = [b"cache", "\ud800", None, 7, 1.5, [], {}, object(), "", " ", float("nan"), float("inf")]
BAD_TIMES: list[Any] = [float("inf"), float("nan"), 0, -1, 3_600.001, 36_000]


class UpperStr(str):
    """A string whose methods are overridden."""

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        raise RuntimeError("encode")

    def isspace(self) -> bool:
        raise RuntimeError("isspace")

    def strip(self, *_: Any) -> str:
        raise RuntimeError("strip")


async def _tried(client: CacheClient, cache: Any, *arguments: Any, name: str = "get", **named: Any) -> Any:
    """Make a call on a cache. Returns its response, or the TypeError that it raises.

    The optional argument `timeout_s` is the timeout of the call.
    """
    try:
        async with asyncio.timeout(PATIENCE_S):
            handle = client.cache(cache)
            timed = handle.with_timeout(named.pop("timeout_s")) if "timeout_s" in named else handle
            return await getattr(timed.results, name)(*arguments, **named)
    except TypeError as error:
        return error


async def _call_admin(client: CacheClient, name: str, *arguments: Any, **named: Any) -> Any:
    """Call a method of the client itself. Returns its result.

    If the method raises a CacheError, return an equivalent Error response. If it raises a TypeError, return that error.
    """
    try:
        return await getattr(client, name)(*arguments, **named)
    except CacheError as error:
        return r.Error(error.code, error.message, error.cause)
    except TypeError as error:
        return error


@pytest.mark.parametrize("bad", HOSTILE, ids=stable_id)
async def test_invalid_arguments_leak_no_permits(server: FakeServer, configuration: Configuration, bad: Any) -> None:
    async with client_of(server, capped(configuration, 3)) as client:
        for _ in range(5):
            for name, arguments in (
                ("get", (bad, "k")),
                ("set", (bad, "k", "v")),
                ("delete", (bad, "k")),
                ("increment", (bad, "k")),
                ("increment", ("cache", "k", bad)),
                ("get_batch", (bad, ["k"])),
                ("get_batch", ("cache", [bad])),
                ("set_batch", (bad, {"k": "v"})),
                ("keys_exist", (bad, ["k"])),
                ("set_if_absent", (bad, "k", "v")),
                ("get_with_hash", (bad, "k")),
                ("set_if_present_and_hash_equal", ("cache", "k", "v", bad)),
                ("update_ttl", ("cache", "k", bad)),
            ):
                answer = await _tried(client, *arguments, name=name)
                assert isinstance(answer, (r.Error, TypeError)) or bad in (7, b"cache", "\ud800", " "), (name, answer)
            assert isinstance(await _call_admin(client, "create_cache", bad), (r.Error, TypeError))
        statistics = client.statistics()
        assert (statistics.in_flight, statistics.queued) == (0, 0)
        assert isinstance(await _tried(client, "cache", "absent"), r.Miss)


@pytest.mark.parametrize("bad", BAD_TIMES)
async def test_invalid_timeout_is_rejected_and_takes_no_permit(
    server: FakeServer, configuration: Configuration, bad: float
) -> None:
    async with client_of(server, capped(configuration, 2)) as client:
        for _ in range(3):
            for answer in (
                await _tried(client, "cache", "k", timeout_s=bad),
                await _tried(client, "cache", "k", name="increment", timeout_s=bad),
                await _call_admin(client, "ping", timeout_s=bad),
            ):
                assert isinstance(answer, r.Error) and answer.code is ErrorCode.INVALID_ARGUMENT
        for bad_kind in ("1", True):
            assert isinstance(await _tried(client, "cache", "k", timeout_s=bad_kind), TypeError)
        assert client.statistics().in_flight == 0
        assert isinstance(await _tried(client, "cache", "k", timeout_s=3_600), r.Miss)


async def test_timeout_below_one_millisecond_is_rounded_up(server: FakeServer, configuration: Configuration) -> None:
    async def nothing(_: pipe.Operation) -> pipe.Result | None:
        return None

    async def never() -> None:
        await asyncio.Event().wait()

    async with client_of(server, configuration) as client:
        assert isinstance(await _tried(client, "cache", "k"), r.Miss)
        server.on_operation, server.unary_gate = nothing, never
        answer = await _tried(client, "cache", "k", timeout_s=1e-9)
        assert isinstance(answer, r.Error) and answer.code is ErrorCode.TIMEOUT
        server.on_operation = server.unary_gate = None
        assert isinstance(await _tried(client, "cache", "k"), r.Miss)


@pytest.mark.parametrize("where", ["cache", "key", "value"])
async def test_unpaired_surrogate_fails_with_invalid_argument(
    server: FakeServer, configuration: Configuration, where: str
) -> None:
    said = {"cache": "cache", "key": "k", "value": "v"} | {where: "\ud800"}
    async with client_of(server, configuration) as client:
        answer = await client.cache(said["cache"]).results.set(said["key"], said["value"])
        assert isinstance(answer, r.Error) and answer.code is ErrorCode.INVALID_ARGUMENT


async def test_invalid_calls_while_connecting_do_not_affect_other_calls(server: FakeServer) -> None:
    async with client_of(server) as client:
        calls = [_tried(client, "cache", "k") for _ in range(3)]
        calls += [_tried(client, b"cache", "k"), _tried(client, "\ud800", "k"), _tried(client, [], "k")]
        calls += [_tried(client, "cache", "k") for _ in range(3)]
        answers = await asyncio.gather(*calls)
        assert [type(each) for each in answers] == [*[r.Miss] * 3, TypeError, r.Error, TypeError, *[r.Miss] * 3]
        assert client.statistics().in_flight == 0


async def test_str_subclass_is_read_without_calling_its_overrides(
    server: FakeServer, configuration: Configuration
) -> None:
    async with client_of(server, configuration) as client:
        assert isinstance(await client.cache(UpperStr("cache")).results.set(UpperStr("k"), UpperStr("v")), r.Success)
        assert await client.cache(UpperStr("cache")).results.get(UpperStr("k")) == r.Hit(b"v")


async def test_encoding_failure_on_the_stream_fails_its_call_only(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    from larder_cache._internal.operations import pipeline_codec as codec

    encode = codec.encode_operation

    def fail(number: int, cache: bytes, deadline: bytes, tag: bytes, payload: bytes) -> bytes:
        if b"poison" in payload:
            raise MemoryError("injected")
        return encode(number, cache, deadline, tag, payload)

    async with client_of(server, None) as client:
        monkeypatch.setattr(codec, "encode_operation", fail)
        keys = ["k", "poison", "k", "poison", "k"]
        for _ in range(3):
            answers = await asyncio.gather(*(_tried(client, "cache", key) for key in keys))
            assert [type(each) for each in answers] == [r.Miss, r.Error, r.Miss, r.Error, r.Miss]
        assert client.statistics().in_flight == 0


class Throwing:
    """Metrics that raise in every method."""

    def record(self, name: str, seconds: float, attributes: Mapping[str, str]) -> None:
        raise LookupError("record")

    def add(self, name: str, count: int, attributes: Mapping[str, str]) -> None:
        raise LookupError("add")

    def watch(self, name: str, read: Any) -> None:
        raise LookupError("watch")


async def test_exception_in_metrics_fails_no_call_and_is_logged_once(
    server: FakeServer, configuration: Configuration, caplog: pytest.LogCaptureFixture
) -> None:
    credentials = CredentialProvider.local(port=server.port)
    tight = capped(configuration, 2)
    async with CacheClient(credentials, default_ttl=60, configuration=tight, metrics=Throwing()) as client:
        for _ in range(5):
            assert isinstance(await _tried(client, "cache", "k"), r.Miss)
        assert client.statistics().in_flight == 0
    assert len([each for each in caplog.records if "metrics" in each.getMessage()]) == 1


@pytest.mark.parametrize("token", ["schlüssel", "a\nb", "\ud800"])
def test_token_with_invalid_characters_is_rejected_and_not_printed(token: str) -> None:
    with pytest.raises(ValueError, match="printable ASCII") as refused:
        CredentialProvider(endpoint="127.0.0.1:1", token=token)
    assert token not in str(refused.value)


@pytest.mark.parametrize("host", ["a..b", ".", "a" * 64 + ".example", "[::1%\x00]", "[nonsense]"])
def test_invalid_host_is_rejected_immediately(host: str) -> None:
    with pytest.raises(ValueError, match="host"):
        CredentialProvider(endpoint=f"{host}:1")


def test_international_host_name_is_converted_to_ascii() -> None:
    assert CredentialProvider(endpoint="bücher.example:1").endpoint == "xn--bcher-kva.example:1"


@pytest.mark.parametrize(
    "pem",
    [b"", b"no certificate", b"-----BEGIN CERTIFICATE-----\nnot base64!\n-----END CERTIFICATE-----\n", "text", b"\xff"],
)
def test_invalid_root_certificates_are_rejected_at_creation(pem: Any) -> None:
    with pytest.raises((ValueError, TypeError), match="root_certificates"):
        CredentialProvider(endpoint="127.0.0.1:1", root_certificates=pem)


async def test_exception_while_connecting_fails_each_waiting_call(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    from larder_cache._internal.http2.http2_stream import Http2Stream

    async def fail(*_: Any) -> Any:
        raise LookupError("injected")

    monkeypatch.setattr(Http2Stream, "open", fail)
    async with client_of(server) as client:
        answers = await asyncio.gather(*(_tried(client, "cache", "k") for _ in range(3)))
        assert {each.code for each in answers} == {ErrorCode.UNAVAILABLE}
        assert all("LookupError: injected" in each.message for each in answers)


async def test_cancelled_connect_leaves_no_task(server: FakeServer) -> None:
    async with client_of(server) as client:
        call = asyncio.create_task(client.cache("cache").results.get("k"))
        await asyncio.sleep(0)
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        await until(lambda: client.statistics().in_flight == 0)
    gc.collect()
    assert not [task for task in asyncio.all_tasks() if "larder" in task.get_name()]


@pytest.mark.parametrize("items", [["a", "bc"], [("k",)], [("k", "v", 1, 2)], [7], {"k": object()}, [b"kv"], 7])
async def test_set_batch_raises_type_error_for_invalid_pairs(server: FakeServer, items: Any) -> None:
    async with client_of(server) as client:
        assert isinstance(await _tried(client, "cache", items, name="set_batch"), TypeError)
        assert isinstance(await _tried(client, "cache", "abc", name="get_batch"), TypeError)


async def test_numbers_with_thousands_of_digits_are_invalid_arguments(server: FakeServer) -> None:
    async with client_of(server) as client:
        for named in ({"timeout_s": 10**400}, {"ttl": 10**400}, {"ttl": timedelta.max}):
            answer = await _tried(client, "cache", "k", "v", name="set", **named)
            assert isinstance(answer, r.Error) and answer.code is ErrorCode.INVALID_ARGUMENT
        # Python cannot convert integers of more than 4,300 digits to text.
        for name, given, named in (
            ("get", ("cache", "k"), {"timeout_s": 10**5_000}),
            ("set", ("cache", "k", "v"), {"ttl": 10**5_000}),
            ("increment", ("cache", "k", 10**5_000), {}),
            ("scan_keys", ("cache",), {"count": 10**5_000}),
        ):
            answer = await _tried(client, *given, name=name, **named)
            assert isinstance(answer, r.Error) and answer.code is ErrorCode.INVALID_ARGUMENT


@pytest.mark.parametrize("length", [256, 2_560])
async def test_cache_name_over_255_characters_is_rejected(
    server: FakeServer, configuration: Configuration, length: int
) -> None:
    async with client_of(server, configuration) as client:
        assert isinstance(await client.cache("x" * 255).results.get("k"), r.Miss)
        for answer in (
            await client.cache("x" * length).results.get("k"),
            await _call_admin(client, "create_cache", "x" * length),
            await client.cache("x" * length).results.delete("k"),
        ):
            assert isinstance(answer, r.Error) and answer.code is ErrorCode.INVALID_ARGUMENT


@pytest.mark.parametrize("view", [bytearray, memoryview], ids=["bytearray", "memoryview"])
async def test_changes_to_a_queued_buffer_are_not_sent(
    server: FakeServer, configuration: Configuration, view: Any
) -> None:
    async with client_of(server, capped(configuration, 1)) as client:
        owned = bytearray(b"before" * 50_000)
        value: Any = memoryview(owned) if view is memoryview else owned
        tasks = [asyncio.ensure_future(client.cache("cache").results.set(f"s{i}", value)) for i in range(3)]
        await asyncio.sleep(0)
        assert client.statistics().queued > 0
        owned[:] = b"after!" * 50_000
        await asyncio.gather(*tasks)
        for i in range(3):
            assert await client.cache("cache").results.get(f"s{i}") == r.Hit(b"before" * 50_000)
