"""A blocking client at interpreter exit: no call waits for the stopped background loop."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import PATIENCE_S
from tests.support.larder_server import larder_server

_PACKAGE = Path(__file__).parents[2]
_BEGIN = """
import atexit, sys
sys.path.insert(0, {package!r})
from larder_cache import CredentialProvider, sync
def made():
    return sync.CacheClient(CredentialProvider.local(port={port}), default_ttl=60)
"""


@pytest.fixture(scope="module")
def real_port() -> Iterator[int]:
    with larder_server() as port:
        yield port


def exits(port: int, program: str) -> str:
    """Run a program to its end, and return its output."""
    text = _BEGIN.format(package=str(_PACKAGE), port=port) + program
    ran = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=PATIENCE_S)
    assert ran.returncode == 0, ran.stderr
    assert "Traceback" not in ran.stderr and "never awaited" not in ran.stderr
    return ran.stdout


def test_exit_completes_if_close_was_registered_before_the_first_call(real_port: int) -> None:
    assert "Success" in exits(
        real_port, "c = made(); atexit.register(c.close); print(c.cache('cache').results.set('k', 'v'))"
    )


_AFTER_STOP = """
import atexit
def late():
{late}
# Registered before the package is imported, and so called after the background loop has stopped.
atexit.register(late)
"""


@pytest.mark.parametrize(
    ("late", "printed"),
    [
        ("c.close(); c.close(); print('closed')", "closed"),
        ("print(big())", "CANCELLED"),
        ("print(c.cache('cache').results.get('k'))", "Hit"),
        ("print(c.cache('cache').results.delete_each(['a', 'b']))", "CANCELLED"),
        ("print(c.connect())", "False"),
        ("print(next(iter(c.cache('cache').results.subscribe('topic')), None))", "CANCELLED"),
        ("print(next(subscription))", "CANCELLED"),
        ("c.close(); print(c.cache('cache').results.get('k'))", "CANCELLED"),
        ("print(made().cache('cache').results.get('k'))", "shutting down"),
        ("print(made().close())", "None"),
    ],
)
def test_calls_fail_immediately_after_the_loop_has_stopped(real_port: int, late: str, printed: str) -> None:
    package, begin = f"import sys; sys.path.insert(0, {str(_PACKAGE)!r})", _BEGIN.format(package="", port=real_port)
    program = (
        _AFTER_STOP.format(late=f"    {late}")
        + begin
        + """
c = made()
def big():
    return c.cache('cache').results.set('k', b'v' * 100_000)
c.cache('cache').results.set('k', 'v')
subscription = c.cache('cache').results.subscribe('topic')
assert subscription.established() is None
"""
    )
    ran = subprocess.run(
        [sys.executable, "-c", package + "\n" + program], capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert ran.returncode == 0 and "Traceback" not in ran.stderr, ran.stderr
    assert "never awaited" not in ran.stderr
    assert printed in ran.stdout


def test_exit_completes_while_a_daemon_thread_makes_calls(real_port: int) -> None:
    printed = exits(
        real_port,
        """
import threading
c = made(); c.cache('cache').results.set('k', 'v'); at_once = threading.Event()
def forever():
    at_once.set()
    while True:
        c.cache('cache').results.set('k', b'v' * 100_000)
threading.Thread(target=forever, daemon=True).start(); at_once.wait(); print('main ends')
""",
    )
    assert "main ends" in printed


def test_exit_does_not_wait_for_factories_that_exceeded_their_timeouts(real_port: int) -> None:
    printed = exits(
        real_port,
        """
import threading
from larder_cache import GetOrSetOptions
c = made(); cache = c.cache('cache'); never = threading.Event()
soft = GetOrSetOptions(fail_safe_for=3_600, soft_timeout=0.01)
hard = GetOrSetOptions(hard_timeout=0.01)
cache.get_or_set('stale', lambda: 'old', ttl=0.001, options=soft)
while cache.get('stale') is not None:
    pass
print(cache.get_or_set('stale', never.wait, options=soft))
try:
    cache.get_or_set('slow', never.wait, options=hard)
except TimeoutError as error:
    print(error)
def late():
    try:
        print(cache.get_or_set('late', lambda: 'made', options=hard))
    except TimeoutError as error:
        print(error)
atexit.register(late)
print('main ends', sum(each.name == 'larder: load' for each in threading.enumerate()))
""",
    )
    assert "b'old'" in printed and "longer than 0.01 s" in printed and "main ends 2" in printed
