"""Near caches with several processes and event loops."""

from __future__ import annotations

from tests.support.programs import run_program

NEAR = """
import time
from larder_cache import Configurations, NearCache
near = Configurations.Laptop.latest().with_settings(near_cache=NearCache(max_bytes=1_048_576))
key = f"forked-{os.getpid()}"

def wait(condition):
    until = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.002)

def keep(client, value):
    def kept():
        assert client.cache("cache").results.get(key) == r.Hit(value), value
        return client.cache("cache").results.try_get_near(key) == value
    wait(kept)
"""


def run_near(port: int, program: str) -> None:
    run_program(port, NEAR + program)


def test_forked_child_starts_with_an_empty_near_cache(real_port: int) -> None:
    run_near(
        real_port,
        """
client = sync.CacheClient(at, default_ttl=60, configuration=near)
client.cache("cache").results.set(key, "v1")
keep(client, b"v1")
def use():
    assert client.cache("cache").results.try_get_near(key) is None
    assert client.near_cache.copies == client.near_cache.hits == 0
    keep(client, b"v1")
    client.cache("cache").results.set(key, "v2")
    assert client.cache("cache").results.get(key) == r.Hit(b"v2")
    keep(client, b"v2")
assert child(use) == 0
wait(lambda: client.cache("cache").results.try_get_near(key) is None)
keep(client, b"v2")
assert child(lambda: child(lambda: keep(client, b"v2"))) == 0, "a grandchild"
assert client.cache("cache").results.try_get_near(key) == b"v2"
client.close()
""",
    )


def test_child_forked_during_near_reads_and_writes_stays_usable(real_port: int) -> None:
    run_near(
        real_port,
        """
client = sync.CacheClient(at, default_ttl=60, configuration=near)
client.cache("cache").results.set(key, "v1")
stop = threading.Event()
def busy(i):
    while not stop.is_set():
        client.cache("cache").results.set(f"{key}-{i}", "x" * 100)
        for _ in range(5):
            client.cache("cache").results.get(f"{key}-{i}")
threads = [threading.Thread(target=busy, args=(i,), daemon=True) for i in range(4)]
[t.start() for t in threads]
for _ in range(5):
    assert child(lambda: keep(client, b"v1")) == 0
stop.set()
[t.join(10) for t in threads]
assert not any(t.is_alive() for t in threads)
keep(client, b"v1")
""",
    )


def test_near_copies_survive_consecutive_event_loops(real_port: int) -> None:
    run_near(
        real_port,
        """
client = CacheClient(at, default_ttl=60, configuration=near)
async def use(n):
    value = str(n)
    assert isinstance(await client.cache("cache").results.set(key, value), r.Success)
    assert client.cache("cache").results.try_get_near(key) is None, "its own write, whichever loop read before"
    while client.cache("cache").results.try_get_near(key) is None:
        assert await client.cache("cache").results.get(key) == r.Hit(value.encode())
        await asyncio.sleep(0)
    assert client.near_cache.copies == 1
for n in range(3):
    asyncio.run(use(n))
async def end():
    assert client.cache("cache").results.try_get_near(key) == b"2", "until the lease ends"
    await client.aclose()
    assert client.cache("cache").results.try_get_near(key) is None
asyncio.run(end())
""",
    )


def test_two_event_loops_share_one_near_cache_and_read_consistently(real_port: int) -> None:
    run_near(
        real_port,
        """
client = CacheClient(at, default_ttl=60, configuration=near)
seen, hits, lock = {}, [0, 0], threading.Lock()
async def use(name):
    for version in range(1, 400):
        mine, other = f"{key}-{name}", f"{key}-{1 - name}"
        assert isinstance(await client.cache("cache").results.set(mine, str(version)), r.Success)
        with lock:
            seen[mine] = version
        for k in (mine, other, mine, other):
            with lock:
                least = seen.get(k, 0)
            found = await client.cache("cache").results.get(k)
            version_found = int(found.value) if isinstance(found, r.Hit) else 0
            assert version_found >= least, (k, found, least)
            with lock:
                seen[k] = max(seen.get(k, 0), version_found)
failures = []
def run(name):
    try:
        asyncio.run(use(name))
    except BaseException as failure:
        failures.append(failure)
threads = [threading.Thread(target=run, args=(i,)) for i in range(2)]
[t.start() for t in threads]
[t.join(60) for t in threads]
assert not failures and not any(t.is_alive() for t in threads), failures
assert client.near_cache.hits > 0
""",
    )


def test_near_stream_moves_to_another_loop_if_its_loop_ends(real_port: int) -> None:
    run_near(
        real_port,
        """
client = CacheClient(at, default_ttl=60, configuration=near)
async def wait_until_cached():
    while client.cache("cache").results.try_get_near(key) is None:
        assert await client.cache("cache").results.get(key) == r.Hit(b"v1")
        await asyncio.sleep(0.002)
async def first(other_up, go_on):
    assert isinstance(await client.cache("cache").results.set(key, "v1"), r.Success)
    await wait_until_cached()
    other_up.wait(20)
    await client._calls._runners[asyncio.get_running_loop()].aclose()
    go_on.set()
async def second(other_up, go_on):
    assert isinstance(await client.cache("cache").results.get(key + "-absent"), r.Miss)
    other_up.set()
    while not go_on.is_set():
        await asyncio.sleep(0.002)
    await wait_until_cached()
    await client.aclose()
other_up, go_on = threading.Event(), threading.Event()
kept = threading.Event()
failures = []
def run(work):
    try:
        asyncio.run(work(other_up, go_on))
    except BaseException as failure:
        failures.append(failure)
one = threading.Thread(target=run, args=(first,))
two = threading.Thread(target=run, args=(second,))
one.start()
wait(lambda: client.cache("cache").results.try_get_near(key) is not None)
two.start()
one.join(30), two.join(30)
assert not failures and not one.is_alive() and not two.is_alive(), failures
""",
    )
