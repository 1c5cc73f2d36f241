"""Changes of a near cache are applied one at a time and completely, even if a change arrives during another change."""

from __future__ import annotations

from typing import Any

import pytest

from larder_cache._internal.near.near_copies import NearCopies, NearCopy
from larder_cache._internal.near.near_reads import NearReads
from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations._generated import operations as op
from larder_cache._internal.telemetry.statistics import NearCacheStatistics
from larder_cache.near_cache import NearCache

STREAM: Any = object()
KEY = codec.encode_key(b"k")


def _reads() -> NearReads:
    reads = NearReads(NearCache(max_bytes=4_096), lambda: lambda: 0.0)
    reads.state.opened(STREAM, 0.0, 3.0)
    _keep(reads, b"k")
    return reads


def _keep(reads: NearReads, key: bytes) -> None:
    get = reads.begin("c", key, STREAM)
    assert get is not None
    reads.told(STREAM, False, [], None, [(get, b"v", 1, 60.0)])


def test_near_copy_is_dropped_if_a_write_ends_during_insertion(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call may end during a change because garbage collection runs at any time and may end a suspended coroutine."""
    reads = _reads()
    add = NearCopies.add

    def collecting(copies: NearCopies, copy: NearCopy) -> bool:
        reads.ended(op.SET, "c", codec.encode_key(b"m"))
        assert reads.begin("c", b"m", STREAM) is None, "what begins there is not kept"
        return add(copies, copy)

    monkeypatch.setattr(NearCopies, "add", collecting)
    _keep(reads, b"m")
    assert reads.find("c", b"m") is None and reads.find("c", b"k") == b"v"
    reads.state.assert_valid()


def test_interrupted_invalidation_drops_all_near_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = _reads()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(NearCopies, "drop", interrupted)
        with pytest.raises(KeyboardInterrupt):
            reads.ended(op.SET, "c", KEY)
    assert reads.find("c", b"k") is None
    reads.state.assert_valid()
    _keep(reads, b"k")
    assert reads.find("c", b"k") == b"v"


def test_near_open_of_another_stream_or_after_close_is_ignored() -> None:
    reads = _reads()
    other: Any = object()
    assert not reads.opened(other, 0.0, 3.0)
    assert reads.find("c", b"k") == b"v"
    reads.close()
    reads.connected(other)
    assert not reads.opened(other, 0.0, 3.0) and not reads.has_stream


def test_near_copies_and_statistics_are_cleared_after_a_fork() -> None:
    reads = _reads()
    assert reads.find("c", b"k") == b"v" and reads.statistics().hits == 1
    reads.after_fork()
    assert reads.find("c", b"k") is None and not reads.has_stream
    assert reads.statistics() == NearCacheStatistics()
