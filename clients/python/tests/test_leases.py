"""get_or_set with a lease (GOC-1 to 9): through the real server and the fake, and against servers that lie."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest

from larder_cache import (
    CacheClient,
    CacheError,
    Configuration,
    Configurations,
    CredentialProvider,
    ErrorCode,
    GetOrSetOptions,
    NearCache,
    cached,
)
from larder_cache import responses as r
from larder_cache import sync
from larder_cache._proto import extras_pb2 as pb
from larder_cache.fake import FakeServer as Fake
from tests.conftest import PATIENCE_S, client_of, unary
from tests.fake_server import FakeServer
from tests.larder_server import larder_server

BOTH = pytest.mark.parametrize("kind", ["server", "fake"])
LEASED = GetOrSetOptions()
Clients = Callable[[], CacheClient]


@pytest.fixture(scope="module")
def real_port() -> Iterator[int]:
    with larder_server() as port:
        yield port


def _configuration(**changes: Any) -> Configuration:
    return Configurations.Laptop.v1().with_settings(request_timeout_s=PATIENCE_S, **changes)


@asynccontextmanager
async def _two(kind: str, port: int) -> AsyncIterator[tuple[CacheClient, CacheClient]]:
    """Clients of one server, which know as little of each other as two processes."""
    fake, credentials = Fake(), CredentialProvider.local(port=port)

    def one() -> CacheClient:
        if kind == "fake":
            return fake.client()
        return CacheClient(credentials, default_ttl=60, configuration=_configuration())

    async with one() as first, one() as second:
        assert await first.flush_cache("cache") == r.SUCCESS
        yield first, second


class Loader:
    """A factory that counts, and waits where it is told to."""

    def __init__(self, *raised: Exception) -> None:
        self.calls = 0
        self.begun = asyncio.Event()
        self.go_on = asyncio.Event()
        self.raised = list(raised)

    async def __call__(self) -> str:
        self.calls += 1
        self.begun.set()
        await self.go_on.wait()
        if self.raised:
            raise self.raised.pop(0)
        return f"made {self.calls}"


def ready(*raised: Exception) -> Loader:
    loader = Loader(*raised)
    loader.go_on.set()
    return loader


async def _expired(client: CacheClient, key: str) -> None:
    while await client.get("cache", key) != r.MISS:
        await asyncio.sleep(0.01)


@BOTH
async def test_goc_1_of_a_thousand_callers_of_two_clients_one_makes_the_value(kind: str, real_port: int) -> None:
    async with _two(kind, real_port) as clients:
        load = Loader()
        callers = [clients[i % 2].get_or_set("cache", "k", load, options=LEASED) for i in range(1_000)]
        all_of_them = asyncio.gather(*callers)
        await load.begun.wait()
        # The other client has asked, and asks again.
        await asyncio.sleep(0.05)
        load.go_on.set()
        assert set(await all_of_them) == {b"made 1"} and load.calls == 1
        assert await clients[1].get_or_set("cache", "k", load, options=LEASED) == b"made 1"
        assert all(client.held()["flights"] == 0 for client in clients)


async def test_goc_2_a_loader_that_died_is_followed_when_its_lease_is_over_and_stores_nothing_late(
    real_port: int,
) -> None:
    async with _two("server", real_port) as (one, other):
        late, load = Loader(), ready()
        brief = GetOrSetOptions(lease=0.05)
        lost = asyncio.create_task(one.get_or_set("cache", "k", late, options=brief))
        await late.begun.wait()
        assert await other.get_or_set("cache", "k", load, options=LEASED) == b"made 1"
        late.calls = 7
        late.go_on.set()
        assert await lost == b"made 7"
        answer = await other.get("cache", "k")
        assert isinstance(answer, r.Hit) and answer.value == b"made 1"


async def test_goc_2_a_fakes_lease_ends_when_its_time_is_moved() -> None:
    fake = Fake()
    async with fake.client() as one, fake.client() as other:
        late, load = Loader(), ready()
        lost = asyncio.create_task(one.get_or_set("cache", "k", late, options=LEASED))
        await late.begun.wait()
        waits = asyncio.create_task(other.get_or_set("cache", "k", load, options=LEASED))
        while fake.received["get_or_lease"] < 3:
            await asyncio.sleep(0.01)
        assert load.calls == 0
        fake.advance(30)
        assert await waits == b"made 1"
        late.go_on.set()
        assert await lost == b"made 1" and load.calls == 1


@BOTH
@pytest.mark.parametrize("write", ["set", "delete", "increment", "flush"])
async def test_goc_2_what_was_made_before_a_write_is_answered_and_not_stored(
    kind: str, write: str, real_port: int
) -> None:
    async with _two(kind, real_port) as (one, other):
        load = Loader()
        call = asyncio.create_task(one.get_or_set("cache", "k", load, options=LEASED))
        await load.begun.wait()
        if write == "set":
            await other.set("cache", "k", "written")
        elif write == "increment":
            await other.increment("cache", "k")
        else:
            await (other.delete("cache", "k") if write == "delete" else other.flush_cache("cache"))
        load.go_on.set()
        assert await call == b"made 1"
        found = await one.get("cache", "k")
        expected = {"set": r.Hit(b"written"), "increment": r.Hit(b"1")}.get(write, r.MISS)
        assert found == expected


@BOTH
async def test_goc_3_a_factory_that_raises_gives_its_lease_back_at_once(kind: str, real_port: int) -> None:
    async with _two(kind, real_port) as (one, other):
        with pytest.raises(KeyError, match="no such row"):
            await one.get_or_set("cache", "k", ready(KeyError("no such row")), options=LEASED)

        async def number() -> Any:
            return 7

        with pytest.raises(TypeError):
            await one.get_or_set("cache", "k", number, options=LEASED)
        # A lease of 30 s is not waited for.
        assert await asyncio.wait_for(other.get_or_set("cache", "k", ready(), options=LEASED), PATIENCE_S) == b"made 1"


@BOTH
async def test_a_factory_that_asks_for_its_own_key_makes_it_without_the_lease_that_it_has(
    kind: str, real_port: int
) -> None:
    longest = GetOrSetOptions(lease=600)
    async with _two(kind, real_port) as (one, other):

        async def outer() -> bytes:
            return await one.get_or_set("cache", "k", ready(), options=longest)

        assert await one.get_or_set("cache", "k", outer, options=longest) == b"made 1"
        assert await other.get("cache", "k") == r.Hit(b"made 1")


def test_a_factory_that_asks_for_its_own_key_does_so_in_a_thread_too() -> None:
    longest = GetOrSetOptions(lease=600)
    with Fake().sync_client() as client:
        cache = client.cache("cache")

        def outer() -> bytes:
            return cache.get_or_set("k", lambda: "inner", options=longest)

        assert cache.get_or_set("k", outer, options=longest) == b"inner"


@BOTH
async def test_a_value_that_cannot_be_stored_is_answered_and_its_lease_given_back(kind: str, real_port: int) -> None:
    longest = GetOrSetOptions(lease=600)
    async with _two(kind, real_port) as (one, other):

        async def large() -> bytes:
            return bytes(6_000_000)

        assert len(await one.get_or_set("cache", "k", large, options=longest)) == 6_000_000
        assert await other.get_or_set("cache", "k", ready(), options=longest) == b"made 1"


@BOTH
async def test_goc_3_a_load_that_nobody_waits_for_any_more_gives_its_lease_back(kind: str, real_port: int) -> None:
    async with _two(kind, real_port) as (one, other):
        never = Loader()
        callers = [asyncio.create_task(one.get_or_set("cache", "k", never, options=LEASED)) for _ in range(3)]
        await never.begun.wait()
        for caller in callers:
            caller.cancel()
        assert await asyncio.wait_for(other.get_or_set("cache", "k", ready(), options=LEASED), PATIENCE_S) == b"made 1"


async def test_goc_3_a_lease_that_comes_when_nobody_waits_any_more_is_given_back(server: FakeServer) -> None:
    lease = pb.GetOrLeaseResponse(lease=pb.GetOrLeaseResponse.Lease(token=b"token")).SerializeToString()
    asked, go_on = asyncio.Event(), asyncio.Event()
    given_back: list[bytes] = []

    async def gate() -> None:
        asked.set()
        await go_on.wait()

    def release(request: bytes) -> bytes:
        given_back.append(pb.ReleaseLeaseRequest.FromString(request).token)
        return b""

    server.extras = {"GetOrLease": lambda _: lease, "ReleaseLease": release}
    async with client_of(server) as client:
        # The get goes by the pipeline.
        await client.get("cache", "k")
        server.unary_gate = gate
        load = ready()
        call = asyncio.create_task(client.get_or_set("cache", "k", load, options=LEASED))
        await asked.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        go_on.set()
        while not given_back:
            await asyncio.sleep(0.01)
        assert given_back == [b"token"] and load.calls == 0


async def test_goc_3_who_waits_for_another_process_can_leave(real_port: int) -> None:
    async with _two("server", real_port) as (one, other):
        never = Loader()
        holder = asyncio.create_task(one.get_or_set("cache", "k", never, options=LEASED))
        await never.begun.wait()
        waits = asyncio.create_task(other.get_or_set("cache", "k", ready(), options=LEASED))
        await asyncio.sleep(0.03)
        waits.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waits
        never.go_on.set()
        assert await holder == b"made 1"


async def _stale(client: CacheClient, fake: Fake | None, options: GetOrSetOptions) -> None:
    """A value "old" whose time is over."""

    async def old() -> str:
        return "old"

    assert await client.get_or_set("cache", "k", old, ttl=0.05, options=options) == b"old"
    if fake is not None:
        fake.advance(1)
    await _expired(client, "k")


@BOTH
async def test_goc_4_an_expired_value_is_answered_at_once_while_one_makes_it_anew(kind: str, real_port: int) -> None:
    fake = Fake() if kind == "fake" else None
    credentials, patient = CredentialProvider.local(port=real_port), _configuration()
    async with fake.client() if fake else CacheClient(credentials, default_ttl=60, configuration=patient) as client:
        await client.flush_cache("cache")
        options = GetOrSetOptions(revalidate_for=timedelta(hours=1))
        await _stale(client, fake, options)
        load = Loader()
        answers = [await client.get_or_set("cache", "k", load, options=options) for _ in range(5)]
        assert answers == [b"old"] * 5
        await load.begun.wait()
        load.go_on.set()
        while await client.get("cache", "k") == r.MISS:
            await asyncio.sleep(0.01)
        assert await client.get_or_set("cache", "k", load, options=options) == b"made 1" and load.calls == 1


@BOTH
async def test_goc_4_a_refresh_that_fails_is_logged_and_tried_again_by_who_asks_next(
    kind: str, real_port: int, caplog: pytest.LogCaptureFixture
) -> None:
    fake = Fake() if kind == "fake" else None
    credentials, patient = CredentialProvider.local(port=real_port), _configuration()
    async with fake.client() if fake else CacheClient(credentials, default_ttl=60, configuration=patient) as client:
        await client.flush_cache("cache")
        options = GetOrSetOptions(revalidate_for=3_600)
        await _stale(client, fake, options)
        load = ready(KeyError("no such row"))
        with caplog.at_level(logging.WARNING, "larder_cache"):
            while await client.get("cache", "k") == r.MISS:
                assert await client.get_or_set("cache", "k", load, options=options) in (b"old", b"made 2")
                await asyncio.sleep(0.01)
        assert load.calls == 2 and caplog.text.count("was not made anew: KeyError") == 1


@BOTH
async def test_goc_5_an_expired_value_is_answered_where_its_factory_raises_and_only_then(
    kind: str, real_port: int, caplog: pytest.LogCaptureFixture
) -> None:
    fake = Fake() if kind == "fake" else None
    credentials, patient = CredentialProvider.local(port=real_port), _configuration()
    async with fake.client() if fake else CacheClient(credentials, default_ttl=60, configuration=patient) as client:
        await client.flush_cache("cache")
        options = GetOrSetOptions(fail_safe_for=3_600)
        await _stale(client, fake, options)
        with caplog.at_level(logging.WARNING, "larder_cache"):
            assert await client.get_or_set("cache", "k", ready(OSError("down")), options=options) == b"old"
        assert "raised OSError" in caplog.text
        with pytest.raises(OSError):
            # One that did not ask for what is stale.
            await client.get_or_set("cache", "k", ready(OSError("down")), options=LEASED)
        assert await client.get_or_set("cache", "k", ready(), options=options) == b"made 1"


@BOTH
async def test_goc_6_its_tags_remove_it_and_a_load_that_began_before_is_not_there_after(
    kind: str, real_port: int
) -> None:
    async with _two(kind, real_port) as (one, other):
        tagged, load = GetOrSetOptions(tags=["red", b"blue"]), Loader()
        call = asyncio.create_task(one.get_or_set("cache", "k", load, options=tagged))
        await load.begun.wait()
        assert await other.remove_by_tag("cache", ["blue"]) == r.SUCCESS
        load.go_on.set()
        assert await call == b"made 1"
        assert await other.get("cache", "k") == r.MISS
        assert await one.get_or_set("cache", "k", load, options=tagged) == b"made 2"
        assert await other.get("cache", "k") == r.Hit(b"made 2")
        await other.remove_by_tag("cache", ["red"])
        assert await one.get("cache", "k") == r.MISS


async def test_goc_7_jitter_takes_up_to_its_part_off_the_time_to_live() -> None:
    async with Fake().client() as client:
        left: list[float] = []
        for number in range(200):
            await client.get_or_set("cache", f"{number}", ready(), ttl=100, options=GetOrSetOptions(jitter=0.5))
            answer = await client.item_get_ttl("cache", f"{number}")
            assert isinstance(answer, r.RemainingTtl)
            left.append(answer.remaining_ttl_ms / 1_000)
        assert 49.9 <= min(left) < 60 and 90 < max(left) <= 100
        await client.get_or_set("cache", "all", ready(), ttl=100, options=GetOrSetOptions(jitter=1))


_NAN = float("nan")


@pytest.mark.parametrize(
    "name, values",
    [
        ("lease", [0, -1, 600.001, 6_000, _NAN, float("inf"), timedelta(0), timedelta(minutes=11)]),
        ("soft_timeout", [0, -1, 600.001, 6_000, _NAN, float("inf"), timedelta(0), timedelta(minutes=11)]),
        ("hard_timeout", [0, -1, 600.001, 6_000, _NAN, float("inf"), timedelta(0), timedelta(minutes=11)]),
        ("revalidate_for", [-1, -0.001, 365 * 86_400 + 1, 3_650 * 86_400, _NAN, float("inf"), timedelta(days=366)]),
        ("fail_safe_for", [-1, -0.001, 365 * 86_400 + 1, 3_650 * 86_400, _NAN, float("inf"), timedelta(seconds=-1)]),
        ("jitter", [-0.001, 1.001, 10, _NAN, float("inf")]),
        ("tags", [["t"] * 129, ["t"] * 1_280, [""], ["t" * 1_025], ["t" * 10_250], ["\ud800"]]),
    ],
)
def test_goc_8_options_out_of_their_ranges_are_told_at_once(name: str, values: list[Any]) -> None:
    for value in values:
        with pytest.raises(ValueError, match="^get_or_set: "):
            GetOrSetOptions(**{name: value})


@pytest.mark.parametrize("name", ["lease", "revalidate_for", "fail_safe_for", "soft_timeout", "hard_timeout", "jitter"])
@pytest.mark.parametrize("value", ["1", b"1", [1], True, False, object()])
def test_goc_8_options_of_other_types_are_type_errors(name: str, value: Any) -> None:
    with pytest.raises(TypeError, match="^get_or_set: "):
        GetOrSetOptions(**{name: value})


@pytest.mark.parametrize("tags", ["red", b"red", None, 7, [7], [None]])
def test_goc_8_what_is_no_list_of_tags_is_a_type_error(tags: Any) -> None:
    with pytest.raises(TypeError):
        GetOrSetOptions(tags=tags)


async def test_goc_8_the_bounds_themselves_are_taken_and_other_options_are_not() -> None:
    async with Fake(max_ttl=365 * 86_400).client() as client:
        year = timedelta(days=365)
        tags = (f"{number:04}".ljust(1_024, "t") for number in range(128))
        times = {"soft_timeout": 600, "hard_timeout": timedelta(minutes=10)}
        most = GetOrSetOptions(lease=600, revalidate_for=year, fail_safe_for=year, jitter=1, tags=tags, **times)
        least = GetOrSetOptions(lease=0.001, soft_timeout=0.001, jitter=0, tags=())
        assert await client.get_or_set("cache", "most", ready(), options=most) == b"made 1"
        assert await client.get_or_set("cache", "least", ready(), options=least) == b"made 1"
        others: list[Any] = [{}, 30, "lease", GetOrSetOptions]
        for wrong in others:
            with pytest.raises(TypeError):
                await client.get_or_set("cache", "k", ready(), options=wrong)
        for cache, key in (("", "k"), ("cache", ""), ("cache", "\ud800")):
            with pytest.raises(CacheError, match="InvalidArgument"):
                await client.get_or_set(cache, key, ready(), options=least)


@BOTH
async def test_goc_10_a_factory_slower_than_the_soft_timeout_is_not_waited_for_and_what_it_makes_is_stored(
    kind: str, real_port: int
) -> None:
    fake = Fake() if kind == "fake" else None
    credentials, patient = CredentialProvider.local(port=real_port), _configuration()
    async with fake.client() if fake else CacheClient(credentials, default_ttl=60, configuration=patient) as client:
        await client.flush_cache("cache")
        options = GetOrSetOptions(fail_safe_for=3_600, soft_timeout=0.01)
        await _stale(client, fake, options)
        load = Loader()
        assert await client.get_or_set("cache", "k", load, options=options) == b"old"
        load.go_on.set()
        while await client.get("cache", "k") == r.MISS:
            await asyncio.sleep(0.01)
        assert await client.get("cache", "k") == r.Hit(b"made 1") and load.calls == 1
        # Without a value that may be served it is waited for; one that is quicker is answered.
        slow = Loader()
        asyncio.get_running_loop().call_later(0.05, slow.go_on.set)
        assert await client.get_or_set("cache", "new", slow, options=options) == b"made 1"


async def test_goc_10_who_leaves_before_the_soft_timeout_leaves_no_factory_behind() -> None:
    fake = Fake()
    async with fake.client() as client:
        options = GetOrSetOptions(fail_safe_for=3_600, soft_timeout=600)
        await _stale(client, fake, options)
        never = Loader()
        call = asyncio.create_task(client.get_or_set("cache", "k", never, options=options))
        await never.begun.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert await client.get_or_set("cache", "k", ready(), options=options) == b"made 1"


@BOTH
async def test_goc_11_a_factory_slower_than_the_hard_timeout_is_cancelled_and_its_lease_given_back(
    kind: str, real_port: int
) -> None:
    fake = Fake() if kind == "fake" else None
    credentials, patient = CredentialProvider.local(port=real_port), _configuration()
    async with fake.client() if fake else CacheClient(credentials, default_ttl=60, configuration=patient) as client:
        await client.flush_cache("cache")
        ended = asyncio.Event()

        async def never() -> str:
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()
            return "never"

        brief = GetOrSetOptions(hard_timeout=0.01, fail_safe_for=3_600)
        with pytest.raises(asyncio.TimeoutError):
            await client.get_or_set("cache", "k", never, options=brief)
        assert ended.is_set()
        await _stale(client, fake, brief)
        assert await client.get_or_set("cache", "k", never, options=brief) == b"old"
        assert await client.get_or_set("cache", "k", ready(), options=brief) == b"made 1"


async def test_goc_11_the_hard_timeout_holds_where_the_cache_fails_too() -> None:
    fake = Fake()
    async with fake.client() as client:
        fake.fail(ErrorCode.PERMISSION_DENIED, operation="get")
        with pytest.raises(asyncio.TimeoutError):
            await client.get_or_set("cache", "k", Loader(), options=GetOrSetOptions(hard_timeout=0.01))


async def test_goc_11_a_factory_that_does_not_end_when_it_is_cancelled_is_not_waited_for() -> None:
    go_on, ended = asyncio.Event(), asyncio.Event()

    async def deaf() -> str:
        while not go_on.is_set():
            try:
                await go_on.wait()
            except asyncio.CancelledError:
                pass
        ended.set()
        return "late"

    async with Fake().client() as client:
        with pytest.raises(asyncio.TimeoutError):
            await client.get_or_set("cache", "k", deaf, options=GetOrSetOptions(hard_timeout=0.01))
        assert await client.get_or_set("cache", "k", ready(), options=LEASED) == b"made 1"
        go_on.set()
        await ended.wait()
        assert await client.get("cache", "k") == r.Hit(b"made 1")


@pytest.mark.parametrize("name", ["soft_timeout", "hard_timeout"])
def test_goc_10_and_goc_11_are_refused_where_a_thread_waits(name: str) -> None:
    timeouts: dict[str, Any] = {name: 1}
    with Fake().sync_client() as client, pytest.raises(ValueError, match="asyncio"):
        client.get_or_set("cache", "k", lambda: "made", options=GetOrSetOptions(**timeouts))


async def test_goc_9_a_cache_that_cannot_be_reached_does_not_fail_its_caller() -> None:
    fake = Fake()
    async with fake.client() as client:
        for operation in ("get", "get_or_lease", "set_with_lease"):
            fake.fail(ErrorCode.UNAVAILABLE, operation=operation)
            assert await client.get_or_set("cache", operation, ready(), options=LEASED) == b"made 1"
            assert await client.get("cache", operation) == r.MISS
        fake.fail(ErrorCode.UNAVAILABLE, operation="release_lease")
        with pytest.raises(OSError):
            await client.get_or_set("cache", "k", ready(OSError()), options=LEASED)


async def test_goc_9_a_server_that_has_its_most_leases_stores_what_is_made() -> None:
    fake = Fake()
    async with fake.client() as client:
        fake.fail(ErrorCode.LIMIT_EXCEEDED, operation="get_or_lease")
        tagged = GetOrSetOptions(tags=["red"])
        assert await client.get_or_set("cache", "k", ready(), options=tagged) == b"made 1"
        assert await client.get("cache", "k") == r.Hit(b"made 1")
        await client.remove_by_tag("cache", ["red"])
        assert await client.get("cache", "k") == r.MISS


async def test_goc_9_a_server_without_leases_is_used_without_and_what_is_to_have_tags_is_not_stored(
    server: FakeServer,
) -> None:
    async with client_of(server) as client:
        assert await client.get_or_set("cache", "plain", ready(), options=LEASED) == b"made 1"
        assert server.items == {b"plain": b"made 1"}
        assert await client.get_or_set("cache", "tagged", ready(), options=GetOrSetOptions(tags=["t"])) == b"made 1"
        assert server.items == {b"plain": b"made 1"}


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"\xff",
        b"\x1a\xff\xff\xff\xff\x0f",
        b"\x08\x01",
        pb.GetOrLeaseResponse(lease=pb.GetOrLeaseResponse.Lease()).SerializeToString(),
    ],
)
async def test_a_server_that_lies_does_not_fail_the_caller_and_nothing_is_stored(
    server: FakeServer, answer: bytes
) -> None:
    stored: list[bytes] = []

    def store(request: bytes) -> bytes:
        stored.append(request)
        return pb.SetWithLeaseResponse(stored=pb.SetWithLeaseResponse.Empty()).SerializeToString()

    server.extras = {"GetOrLease": lambda _: answer, "SetWithLease": store}
    async with client_of(server, unary()) as client:
        assert await client.get_or_set("cache", "k", ready(), options=LEASED) == b"made 1"
        assert not stored and not server.items


async def test_a_stale_value_longer_expired_than_was_asked_for_is_not_answered(server: FakeServer) -> None:
    token = b"t" * 16
    stale = pb.GetOrLeaseResponse.Stale(value=b"old", expired_ms=2**64 - 1, token=token)
    server.extras = {
        "GetOrLease": lambda _: pb.GetOrLeaseResponse(stale=stale).SerializeToString(),
        "ReleaseLease": lambda _: b"",
    }
    both = GetOrSetOptions(revalidate_for=3_600, fail_safe_for=3_600)
    async with client_of(server) as client:
        with pytest.raises(OSError):
            await client.get_or_set("cache", "k", ready(OSError()), options=both)
        assert server.received["unary releaselease"] == 1


async def test_hits_are_kept_near(real_port: int) -> None:
    near = _configuration(near_cache=NearCache(max_bytes=1 << 20))
    async with CacheClient(CredentialProvider.local(port=real_port), default_ttl=60, configuration=near) as client:
        load = ready()
        while client.try_get_near("cache", "near") is None:
            assert await client.get_or_set("cache", "near", load, options=LEASED) == b"made 1"
        assert await client.get_or_set("cache", "near", load, options=LEASED) == b"made 1" and load.calls == 1


async def test_a_cached_function_has_them_too() -> None:
    fake, calls = Fake(), 0
    async with fake.client() as one, fake.client() as other:
        broken = False

        def page_of(client: CacheClient) -> Callable[[int], Awaitable[int]]:
            @cached(client.plain("cache"), ttl=5, key="page {}".format, options=GetOrSetOptions(fail_safe_for=60))
            async def page(number: int) -> int:
                nonlocal calls
                calls += 1
                await asyncio.sleep(0.01)
                if broken:
                    raise OSError("down")
                return number * number

            return page

        pages = [page_of(one), page_of(other)]
        assert await asyncio.gather(*(pages[i % 2](7) for i in range(20))) == [49] * 20 and calls == 1
        fake.advance(6)
        broken = True
        assert await pages[0](7) == 49 and calls == 2
        # What is no JSON is a miss, also where it is stale, and replaced.
        await one.set("cache", "page 9", b"\xff")
        broken = False
        assert await pages[0](9) == 81 and (await one.get("cache", "page 9")) == r.Hit(b"81")


def test_threads_of_two_blocking_clients_make_one_value(real_port: int) -> None:
    credentials, patient = CredentialProvider.local(port=real_port), _configuration()
    with (
        sync.CacheClient(credentials, default_ttl=60, configuration=patient) as one,
        sync.CacheClient(credentials, default_ttl=60, configuration=patient) as other,
    ):
        one.flush_cache("cache")
        go_on = threading.Event()
        calls: list[str] = []

        def load() -> str:
            calls.append(threading.current_thread().name)
            go_on.wait()
            return f"made {len(calls)}"

        got: list[bytes] = []

        def ask(client: sync.CacheClient) -> None:
            got.append(client.get_or_set("cache", "k", load, options=LEASED))

        threads = [threading.Thread(target=ask, args=[(one, other)[i % 2]], daemon=True) for i in range(20)]
        for thread in threads:
            thread.start()
        while not calls:
            pass
        go_on.set()
        for thread in threads:
            thread.join()
        assert got == [b"made 1"] * 20 and len(calls) == 1


def test_a_blocking_client_makes_stale_values_anew_in_a_thread_and_at_most_32_of_them() -> None:
    fake = Fake()
    with fake.sync_client() as client:
        options = GetOrSetOptions(revalidate_for=3_600)
        for number in range(40):
            client.get_or_set("cache", f"{number}", lambda: "old", ttl=1, options=options)
        fake.advance(2)
        go_on, begun = threading.Event(), threading.Semaphore(0)

        def load() -> str:
            begun.release()
            go_on.wait()
            return "new"

        answers = [client.get_or_set("cache", f"{number}", load, options=options) for number in range(40)]
        assert answers == [b"old"] * 40
        for _ in range(32):
            begun.acquire()
        refreshing = [each for each in threading.enumerate() if each.name == "larder: refresh"]
        assert len(refreshing) == 32
        go_on.set()
        for thread in refreshing:
            thread.join()
        values = [client.get("cache", f"{number}") for number in range(40)]
        assert values == [r.Hit(b"new")] * 32 + [r.MISS] * 8
        # Their leases were given back: whoever asks next makes them.
        assert [client.get_or_set("cache", f"{number}", load, options=options) for number in range(32, 40)] == [
            b"old"
        ] * 8
        while any(isinstance(client.get("cache", f"{number}"), r.Miss) for number in range(32, 40)):
            pass


def test_a_blocking_client_whose_factory_raises_gives_its_lease_back() -> None:
    with Fake().sync_client() as client:
        options = GetOrSetOptions(lease=600)

        def broken() -> str:
            raise KeyError("no such row")

        with pytest.raises(KeyError):
            client.get_or_set("cache", "k", broken, options=options)
        assert client.get_or_set("cache", "k", lambda: "made", options=options) == b"made"
