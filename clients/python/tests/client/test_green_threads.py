"""The client rejects programs in which gevent or eventlet has replaced threads and sockets, with a helpful message."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from larder_cache import CacheClient, CredentialProvider, sync
from larder_cache._internal.blocking import background_loop
from larder_cache._internal.blocking.loop_job import LoopUnavailable
from larder_cache._internal.common import green_threads
from larder_cache.errors import ErrorCode

_AT = CredentialProvider.local(port=9)
_PATCH = {
    "gevent": "from gevent import monkey; monkey.patch_all({})",
    "eventlet": "import eventlet; eventlet.monkey_patch({})",
}


def _patched(module: str, question: str, *names: str) -> dict[str, Any]:
    def is_patched(name: str) -> bool:
        return name in names

    return {module: SimpleNamespace(**{question: is_patched})}


_GEVENT, _EVENTLET = ("gevent.monkey", "is_module_patched"), ("eventlet.patcher", "is_monkey_patched")


@pytest.mark.parametrize(
    "modules, library",
    [
        (_patched(*_GEVENT, "threading"), "gevent"),
        (_patched(*_GEVENT, "socket"), "gevent"),
        (_patched(*_GEVENT, "select"), "gevent"),
        (_patched(*_EVENTLET, "thread"), "eventlet"),
        (_patched(*_EVENTLET, "socket"), "eventlet"),
        (_patched(*_EVENTLET, "select"), "eventlet"),
    ],
)
def test_client_creation_fails_if_threads_or_sockets_are_patched(
    monkeypatch: pytest.MonkeyPatch, modules: dict[str, Any], library: str
) -> None:
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    for make in (CacheClient, sync.CacheClient):
        with pytest.raises(RuntimeError, match=f"monkey patching of {library}; use workers with real threads"):
            make(_AT, default_ttl=60)


@pytest.mark.parametrize(
    "modules",
    [
        {},
        _patched(*_GEVENT),
        _patched(*_GEVENT, "time", "queue"),
        _patched(*_EVENTLET, "time"),
        # gevent.monkey is an unrelated library with this name, and eventlet.patcher is still being imported.
        {"gevent.monkey": SimpleNamespace(), "eventlet.patcher": None},
    ],
)
def test_client_creation_succeeds_if_threads_and_sockets_are_unpatched(
    monkeypatch: pytest.MonkeyPatch, modules: dict[str, Any]
) -> None:
    for name in ("gevent.monkey", "eventlet.patcher"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    assert green_threads.unsupported() is None
    CacheClient(_AT, default_ttl=60)


def test_background_loop_does_not_start_if_gevent_has_patched_threading(monkeypatch: pytest.MonkeyPatch) -> None:
    state = SimpleNamespace(is_stopped=False, loop=None, lock=None)
    monkeypatch.setattr(background_loop, "_state", state)
    monkeypatch.setitem(sys.modules, "gevent.monkey", _patched(*_GEVENT, "threading")["gevent.monkey"])
    with pytest.raises(LoopUnavailable, match="monkey patching of gevent") as refused:
        background_loop.background_loop()
    assert refused.value.code is ErrorCode.FAILED_PRECONDITION and state.loop is None


@pytest.mark.parametrize("which", ["", "thread=False"])
@pytest.mark.parametrize("library", ["gevent", "eventlet"])
def test_client_creation_detects_real_monkey_patching(library: str, which: str) -> None:
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    program = f"""
{_PATCH[library].format(which)}
from larder_cache import CredentialProvider, sync
try:
    sync.CacheClient(CredentialProvider.local(port=9), default_ttl=60)
except RuntimeError as refused:
    print("refused:", refused)
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, cwd=Path(__file__).parents[2]
    )
    assert ran.stdout.startswith(f"refused: larder_cache does not work with the monkey patching of {library}"), ran
