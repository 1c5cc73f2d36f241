"""get_or_set with a lease (GOC-1 to 6, 9): with the real server, the fake, and servers that send wrong responses."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest

from larder_cache import CacheClient, CredentialProvider, ErrorCode, GetOrSetOptions, NearCache, cached
from larder_cache import responses as r
from larder_cache.fake import FakeServer as Fake
from protobuf_messages import extras_pb2 as pb
from tests.conftest import PATIENCE_S, client_of, unary
from tests.leases.loads import BOTH, LEASED, Loader, one_client, patient, ready, stale, two_clients
from tests.support.fake_server import FakeServer


@BOTH
async def test_goc_1_factory_runs_once_for_1000_callers_of_two_clients(kind: str, real_port: int) -> None:
    async with two_clients(kind, real_port) as clients:
        load = Loader()
        callers = [clients[i % 2].cache("cache").results.get_or_set("k", load, options=LEASED) for i in range(1_000)]
        all_of_them = asyncio.gather(*callers)
        await load.begun.wait()
        # After this sleep, the other client has requested the lease and is polling.
        await asyncio.sleep(0.05)
        load.go_on.set()
        assert set(await all_of_them) == {b"made 1"} and load.calls == 1
        assert await clients[1].cache("cache").results.get_or_set("k", load, options=LEASED) == b"made 1"
        assert all(client.held()["flights"] == 0 for client in clients)


async def test_goc_2_expired_lease_passes_to_another_client(
    real_port: int,
) -> None:
    async with two_clients("server", real_port) as (one, other):
        late, load = Loader(), ready()
        brief = GetOrSetOptions(lease=0.05)
        lost = asyncio.create_task(one.cache("cache").results.get_or_set("k", late, options=brief))
        await late.begun.wait()
        assert await other.cache("cache").results.get_or_set("k", load, options=LEASED) == b"made 1"
        late.calls = 7
        late.go_on.set()
        assert await lost == b"made 7"
        answer = await other.cache("cache").results.get("k")
        assert isinstance(answer, r.Hit) and answer.value == b"made 1"


async def test_goc_2_fake_server_lease_expires_when_time_advances() -> None:
    fake = Fake()
    async with fake.client() as one, fake.client() as other:
        late, load = Loader(), ready()
        lost = asyncio.create_task(one.cache("cache").results.get_or_set("k", late, options=LEASED))
        await late.begun.wait()
        waits = asyncio.create_task(other.cache("cache").results.get_or_set("k", load, options=LEASED))
        while fake.received["get_or_lease"] < 3:
            await asyncio.sleep(0.01)
        assert load.calls == 0
        fake.advance(30)
        assert await waits == b"made 1"
        late.go_on.set()
        assert await lost == b"made 1" and load.calls == 1


@BOTH
@pytest.mark.parametrize("write", ["set", "delete", "increment", "flush"])
async def test_goc_2_value_loaded_before_a_write_is_not_stored(kind: str, write: str, real_port: int) -> None:
    async with two_clients(kind, real_port) as (one, other):
        load = Loader()
        call = asyncio.create_task(one.cache("cache").results.get_or_set("k", load, options=LEASED))
        await load.begun.wait()
        if write == "set":
            await other.cache("cache").results.set("k", "written")
        elif write == "increment":
            await other.cache("cache").results.increment("k")
        else:
            await (other.cache("cache").results.delete("k") if write == "delete" else other.flush_cache("cache"))
        load.go_on.set()
        assert await call == b"made 1"
        found = await one.cache("cache").results.get("k")
        expected = {"set": r.Hit(b"written"), "increment": r.Hit(b"1")}.get(write, r.MISS)
        assert found == expected


@BOTH
async def test_goc_3_factory_error_releases_the_lease_immediately(kind: str, real_port: int) -> None:
    async with two_clients(kind, real_port) as (one, other):
        with pytest.raises(KeyError, match="no such row"):
            await one.cache("cache").results.get_or_set("k", ready(KeyError("no such row")), options=LEASED)

        async def number() -> Any:
            return 7

        with pytest.raises(TypeError):
            await one.cache("cache").results.get_or_set("k", number, options=LEASED)
        # The lease was released, so callers do not wait until it expires after 30 s.
        assert (
            await asyncio.wait_for(other.cache("cache").results.get_or_set("k", ready(), options=LEASED), PATIENCE_S)
            == b"made 1"
        )


@BOTH
async def test_factory_that_loads_its_own_key_does_not_deadlock(kind: str, real_port: int) -> None:
    longest = GetOrSetOptions(lease=600)
    async with two_clients(kind, real_port) as (one, other):

        async def outer() -> bytes:
            return await one.cache("cache").results.get_or_set("k", ready(), options=longest)

        assert await one.cache("cache").results.get_or_set("k", outer, options=longest) == b"made 1"
        assert await other.cache("cache").results.get("k") == r.Hit(b"made 1")


@BOTH
async def test_oversized_loaded_value_is_returned_and_releases_the_lease(kind: str, real_port: int) -> None:
    longest = GetOrSetOptions(lease=600)
    async with two_clients(kind, real_port) as (one, other):

        async def large() -> bytes:
            return bytes(6_000_000)

        assert len(await one.cache("cache").results.get_or_set("k", large, options=longest)) == 6_000_000
        assert await other.cache("cache").results.get_or_set("k", ready(), options=longest) == b"made 1"


@BOTH
async def test_goc_3_load_abandoned_by_all_callers_releases_its_lease(kind: str, real_port: int) -> None:
    async with two_clients(kind, real_port) as (one, other):
        never = Loader()
        callers = [
            asyncio.create_task(one.cache("cache").results.get_or_set("k", never, options=LEASED)) for _ in range(3)
        ]
        await never.begun.wait()
        for caller in callers:
            caller.cancel()
        assert (
            await asyncio.wait_for(other.cache("cache").results.get_or_set("k", ready(), options=LEASED), PATIENCE_S)
            == b"made 1"
        )


async def test_goc_3_lease_granted_after_cancellation_is_released(server: FakeServer) -> None:
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
        # Connect the pipeline before the gate is set. The gate delays only unary calls, such as GetOrLease.
        await client.cache("cache").results.get("k")
        server.unary_gate = gate
        load = ready()
        call = asyncio.create_task(client.cache("cache").results.get_or_set("k", load, options=LEASED))
        await asked.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        go_on.set()
        while not given_back:
            await asyncio.sleep(0.01)
        assert given_back == [b"token"] and load.calls == 0


async def test_goc_3_caller_waiting_for_another_process_can_be_cancelled(real_port: int) -> None:
    async with two_clients("server", real_port) as (one, other):
        never = Loader()
        holder = asyncio.create_task(one.cache("cache").results.get_or_set("k", never, options=LEASED))
        await never.begun.wait()
        waits = asyncio.create_task(other.cache("cache").results.get_or_set("k", ready(), options=LEASED))
        await asyncio.sleep(0.03)
        waits.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waits
        never.go_on.set()
        assert await holder == b"made 1"


@BOTH
async def test_goc_4_stale_value_is_returned_while_one_caller_refreshes_it(kind: str, real_port: int) -> None:
    async with one_client(kind, real_port) as (client, fake):
        options = GetOrSetOptions(revalidate_for=timedelta(hours=1))
        await stale(client, fake, options)
        load = Loader()
        answers = [await client.cache("cache").results.get_or_set("k", load, options=options) for _ in range(5)]
        assert answers == [b"old"] * 5
        await load.begun.wait()
        load.go_on.set()
        while await client.cache("cache").results.get("k") == r.MISS:
            await asyncio.sleep(0.01)
        assert (
            await client.cache("cache").results.get_or_set("k", load, options=options) == b"made 1" and load.calls == 1
        )


@BOTH
async def test_goc_4_failed_refresh_is_logged_and_retried_by_next_caller(
    kind: str, real_port: int, caplog: pytest.LogCaptureFixture
) -> None:
    async with one_client(kind, real_port) as (client, fake):
        options = GetOrSetOptions(revalidate_for=3_600)
        await stale(client, fake, options)
        load = ready(KeyError("no such row"))
        with caplog.at_level(logging.WARNING, "larder_cache"):
            while await client.cache("cache").results.get("k") == r.MISS:
                assert await client.cache("cache").results.get_or_set("k", load, options=options) in (b"old", b"made 2")
                await asyncio.sleep(0.01)
        assert load.calls == 2 and caplog.text.count("because its factory raised KeyError") == 1


@BOTH
async def test_goc_5_stale_value_is_returned_only_if_the_factory_fails(
    kind: str, real_port: int, caplog: pytest.LogCaptureFixture
) -> None:
    async with one_client(kind, real_port) as (client, fake):
        options = GetOrSetOptions(fail_safe_for=3_600)
        await stale(client, fake, options)
        with caplog.at_level(logging.WARNING, "larder_cache"):
            assert (
                await client.cache("cache").results.get_or_set("k", ready(OSError("down")), options=options) == b"old"
            )
        assert "raised OSError" in caplog.text
        with pytest.raises(OSError):
            # This caller did not allow stale values.
            await client.cache("cache").results.get_or_set("k", ready(OSError("down")), options=LEASED)
        assert await client.cache("cache").results.get_or_set("k", ready(), options=options) == b"made 1"


@BOTH
async def test_goc_6_remove_by_tag_deletes_value_and_discards_running_load(kind: str, real_port: int) -> None:
    async with two_clients(kind, real_port) as (one, other):
        tagged, load = GetOrSetOptions(tags=["red", b"blue"]), Loader()
        call = asyncio.create_task(one.cache("cache").results.get_or_set("k", load, options=tagged))
        await load.begun.wait()
        assert await other.cache("cache").results.remove_by_tag(["blue"]) == r.SUCCESS
        load.go_on.set()
        assert await call == b"made 1"
        assert await other.cache("cache").results.get("k") == r.MISS
        assert await one.cache("cache").results.get_or_set("k", load, options=tagged) == b"made 2"
        assert await other.cache("cache").results.get("k") == r.Hit(b"made 2")
        await other.cache("cache").results.remove_by_tag(["red"])
        assert await one.cache("cache").results.get("k") == r.MISS


async def test_goc_9_unreachable_cache_does_not_fail_the_caller() -> None:
    fake = Fake()
    async with fake.client() as client:
        for operation in ("get", "get_or_lease", "set_with_lease"):
            fake.fail(ErrorCode.UNAVAILABLE, operation=operation)
            assert await client.cache("cache").results.get_or_set(operation, ready(), options=LEASED) == b"made 1"
            assert await client.cache("cache").results.get(operation) == r.MISS
        fake.fail(ErrorCode.UNAVAILABLE, operation="release_lease")
        with pytest.raises(OSError):
            await client.cache("cache").results.get_or_set("k", ready(OSError()), options=LEASED)


async def test_goc_9_server_at_its_lease_limit_still_stores_the_value() -> None:
    fake = Fake()
    async with fake.client() as client:
        fake.fail(ErrorCode.LIMIT_EXCEEDED, operation="get_or_lease")
        tagged = GetOrSetOptions(tags=["red"])
        assert await client.cache("cache").results.get_or_set("k", ready(), options=tagged) == b"made 1"
        assert await client.cache("cache").results.get("k") == r.Hit(b"made 1")
        await client.cache("cache").results.remove_by_tag(["red"])
        assert await client.cache("cache").results.get("k") == r.MISS


async def test_goc_9_server_without_leases_stores_only_values_without_tags(
    server: FakeServer,
) -> None:
    async with client_of(server) as client:
        assert await client.cache("cache").results.get_or_set("plain", ready(), options=LEASED) == b"made 1"
        assert server.items == {b"plain": b"made 1"}
        assert (
            await client.cache("cache").results.get_or_set("tagged", ready(), options=GetOrSetOptions(tags=["t"]))
            == b"made 1"
        )
        assert server.items == {b"plain": b"made 1"}


async def test_goc_9_unknown_failure_does_not_mean_that_leases_are_unsupported(server: FakeServer) -> None:
    def fail(_: bytes) -> bytes:
        raise OSError("injected")

    server.extras = {"GetOrLease": fail}
    async with client_of(server) as client:
        assert await client.cache("cache").results.get_or_set("k", ready(), options=LEASED) == b"made 1"
        assert not server.items


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
async def test_invalid_lease_response_does_not_fail_the_caller(server: FakeServer, answer: bytes) -> None:
    stored: list[bytes] = []

    def store(request: bytes) -> bytes:
        stored.append(request)
        return pb.SetWithLeaseResponse(stored=pb.SetWithLeaseResponse.Empty()).SerializeToString()

    server.extras = {"GetOrLease": lambda _: answer, "SetWithLease": store}
    async with client_of(server, unary()) as client:
        assert await client.cache("cache").results.get_or_set("k", ready(), options=LEASED) == b"made 1"
        assert not stored and not server.items


async def test_stale_value_older_than_the_requested_age_is_not_returned(server: FakeServer) -> None:
    token = b"t" * 16
    stale = pb.GetOrLeaseResponse.Stale(value=b"old", expired_ms=2**64 - 1, token=token)
    server.extras = {
        "GetOrLease": lambda _: pb.GetOrLeaseResponse(stale=stale).SerializeToString(),
        "ReleaseLease": lambda _: b"",
    }
    both = GetOrSetOptions(revalidate_for=3_600, fail_safe_for=3_600)
    async with client_of(server) as client:
        with pytest.raises(OSError):
            await client.cache("cache").results.get_or_set("k", ready(OSError()), options=both)
        assert server.received["unary releaselease"] == 1


async def test_get_or_set_stores_hits_in_the_near_cache(real_port: int) -> None:
    near = patient(near_cache=NearCache(max_bytes=1 << 20))
    async with CacheClient(CredentialProvider.local(port=real_port), default_ttl=60, configuration=near) as client:
        load = ready()
        while client.cache("cache").results.try_get_near("near") is None:
            assert await client.cache("cache").results.get_or_set("near", load, options=LEASED) == b"made 1"
        assert (
            await client.cache("cache").results.get_or_set("near", load, options=LEASED) == b"made 1"
            and load.calls == 1
        )


async def test_cached_functions_support_get_or_set_options() -> None:
    fake, calls = Fake(), 0
    async with fake.client() as one, fake.client() as other:
        broken = False

        def page_of(client: CacheClient) -> Callable[[int], Awaitable[int]]:
            @cached(client.cache("cache"), ttl=5, key="page {}".format, options=GetOrSetOptions(fail_safe_for=60))
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
        # A value that is not valid JSON is a miss and is replaced, even if stale values are allowed.
        await one.cache("cache").results.set("page 9", b"\xff")
        broken = False
        assert await pages[0](9) == 81 and (await one.cache("cache").results.get("page 9")) == r.Hit(b"81")
