"""The distributed lock: a lease between processes that only its owner can release."""

from __future__ import annotations

import subprocess
import sys
import threading
from itertools import islice
from pathlib import Path

import pytest

from larder_cache import CredentialProvider, sync
from tests.conftest import PATIENCE_S
from tests.integrations.dogpile_backend.conftest import Regions

FOLDER = Path(__file__).resolve().parents[3]


def test_backend_has_no_mutex_without_distributed_lock(regions: Regions) -> None:
    assert regions().backend.get_mutex("key") is None


def test_distributed_lock_is_exclusive_until_released(regions: Regions) -> None:
    ours, theirs = (regions(distributed_lock=True).backend.get_mutex("key") for _ in range(2))
    assert not ours.locked() and ours.acquire(False) is True
    assert ours.locked() and theirs.locked()
    assert theirs.acquire(False) is False and ours.acquire(False) is False
    ours.release()
    assert not theirs.locked() and theirs.acquire(False) is True
    # The second release has no effect, because another owner has the lease now.
    ours.release()
    assert ours.acquire(False) is False and theirs.locked()
    theirs.release()


def test_distributed_locks_are_independent_of_other_keys_and_values(regions: Regions) -> None:
    backend = regions(distributed_lock=True).backend
    first, second = backend.get_mutex(""), backend.get_mutex("key")
    assert first.acquire(False) and second.acquire(False)
    backend.set_serialized("key", b"value")
    backend.set_serialized("", b"of no name")
    backend.delete_multi(["key", ""])
    assert first.locked() and second.locked()
    first.release()
    second.release()


def test_waiting_acquire_succeeds_after_release(regions: Regions) -> None:
    ours, theirs = (regions(distributed_lock=True).backend.get_mutex("key") for _ in range(2))
    got = threading.Event()

    def wait() -> None:
        assert theirs.acquire() is True
        got.set()

    assert ours.acquire()
    waiting = threading.Thread(target=wait, daemon=True)
    waiting.start()
    assert not got.is_set()
    ours.release()
    assert got.wait(PATIENCE_S)
    waiting.join()
    theirs.release()


def test_late_release_of_expired_lock_does_not_affect_new_lock(regions: Regions) -> None:
    ours = regions(distributed_lock=True, lock_timeout_s=0.05).backend.get_mutex("key")
    theirs, third = (regions(distributed_lock=True).backend.get_mutex("key") for _ in range(2))
    assert ours.acquire(False)
    assert theirs.acquire() is True
    ours.release()
    assert theirs.locked() and third.acquire(False) is False
    theirs.release()
    assert third.acquire(False) is True
    third.release()


def test_threads_with_separate_mutexes_exclude_each_other(regions: Regions) -> None:
    backend, inside, alone = regions(distributed_lock=True).backend, threading.Lock(), list[bool]()

    def work() -> None:
        for _ in range(5):
            mutex = backend.get_mutex("key")
            mutex.acquire()
            is_alone = inside.acquire(False)
            alone.append(is_alone)
            if is_alone:
                inside.release()
            mutex.release()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert alone == [True] * 20


def test_distributed_lock_can_be_released_by_another_thread(regions: Regions) -> None:
    mutex = regions(distributed_lock=True).backend.get_mutex("key")
    assert mutex.acquire()
    releasing = threading.Thread(target=mutex.release)
    releasing.start()
    releasing.join()
    assert not mutex.locked() and mutex.acquire(False)
    mutex.release()


def test_lock_retry_delay_grows_up_to_100_ms() -> None:
    from larder_cache._internal.integrations.lease_mutex import waits_s

    waits = list(islice(waits_s(), 50))
    assert 0.0025 <= waits[0] <= 0.005 and all(0.05 <= each <= 0.1 for each in waits[10:])


# Two of these processes start together. Only one of them creates each value, and they never create the value of the
# same key at the same time.
PROCESS = """
import sys
from dogpile.cache import make_region
import larder_cache.dogpile
from larder_cache import CredentialProvider, sync
url = sys.argv[1]
client = sync.CacheClient(CredentialProvider.from_string(url), default_ttl=60)
cache = client.cache("cache")
region = make_region(serializer=bytes, deserializer=bytes)
region.configure("larder", arguments={"url": url, "distributed_lock": True})
print("ready", flush=True)
sys.stdin.readline()
for key in map(str, range(40)):
    def creator():
        assert cache.set_if_absent("inside " + key, b"", ttl=60), "alone"
        cache.increment("made " + key)
        cache.delete("inside " + key)
        return b"value of " + key.encode()
    assert region.get_or_create("key " + key, creator) == b"value of " + key.encode()
"""


def test_distributed_lock_makes_two_processes_create_each_value_once(regions: Regions, url: str) -> None:
    command = [sys.executable, "-c", PROCESS, url]
    both = [
        subprocess.Popen(command, cwd=FOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    try:
        for each in both:
            assert each.stdout is not None and each.stdout.readline() == "ready\n"
        for each in both:
            assert each.stdin is not None
            each.stdin.write("go\n")
            each.stdin.flush()
        assert [each.wait(PATIENCE_S * 2) for each in both] == [0, 0]
    finally:
        for each in both:
            each.kill()
            each.communicate()
    with sync.CacheClient(CredentialProvider.from_string(url), default_ttl=60) as client:
        made = client.cache("cache").get_batch(f"made {number}" for number in range(40))
    assert list(made.values()) == [b"1"] * 40


FORK = """
import os, sys
from dogpile.cache import make_region
import larder_cache.dogpile
region = make_region(serializer=bytes, deserializer=bytes)
region.configure("larder", arguments={"url": sys.argv[1], "distributed_lock": True})
region.set("before", b"1")
def creator():
    pid = os.fork()
    if pid == 0:
        try:
            mutex = region.backend.get_mutex("forked")
            assert mutex.acquire(False) is False, "the parent's"
            region.set("child", b"2")
            assert region.get_or_create("own", lambda: b"3") == b"3"
        except BaseException as failure:
            print(repr(failure), flush=True)
            os._exit(1)
        # Leaves get_or_create as its parent does, which gives back the parent's lock.
        return b"child's"
    assert os.waitpid(pid, 0)[1] == 0
    assert region.backend.get_mutex("forked").acquire(False) is False, "the child gave back what was not its own"
    return b"parent's"
value = region.get_or_create("forked", creator)
if value == b"child's":
    os._exit(0)
assert not region.key_is_locked("forked")
assert (value, region.get("child"), region.get("own")) == (b"parent's", b"2", b"3")
"""


def test_forked_child_does_not_release_the_lock_of_its_parent(regions: Regions, url: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", FORK, url], cwd=FOLDER, capture_output=True, text=True, timeout=PATIENCE_S * 2
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr


def test_failed_acquire_raises_and_does_not_lock_the_mutex(regions: Regions) -> None:
    from larder_cache import CacheError

    mutex = regions(distributed_lock=True, cache="no such cache").backend.get_mutex("key")
    for _ in range(2):
        with pytest.raises(CacheError):
            mutex.acquire()
