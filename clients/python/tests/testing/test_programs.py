"""Separate programs: the example of a test with a fake, and forks, which must not affect the test runner."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from tests.support.programs import run_program

PACKAGE = Path(__file__).parents[2]


def test_fake_server_example_runs_unchanged() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "examples/with_a_fake.py"]
    done = subprocess.run(command, cwd=PACKAGE, capture_output=True, text=True)
    assert done.returncode == 0 and "3 passed" in done.stdout, done.stdout


FORKED = """
import asyncio, os, threading
from larder_cache import responses as r
from larder_cache.fake import FakeServer

fake = FakeServer()
client = fake.sync_client()
client.cache("cache").results.set("k", "v")
held, let_go = threading.Event(), threading.Event()

def hold():
    with fake._lock:
        held.set()
        let_go.wait()

holder = threading.Thread(target=hold)
holder.start()
held.wait()
pid = os.fork()
if pid == 0:
    cache = client.cache("cache").results
    same = cache.get("k") == r.Hit(b"v") and cache.set("k", "child's") == r.SUCCESS
    os._exit(0 if same and asyncio.run(fake.client().cache("cache").results.get("k")) == r.Hit(b"child's") else 1)
let_go.set()
holder.join()
assert os.waitpid(pid, 0)[1] == 0
assert client.cache("cache").results.get("k") == r.Hit(b"v")
"""


def test_forked_child_gets_its_own_copy_of_the_fake_server() -> None:
    done = subprocess.run([sys.executable, "-c", FORKED], cwd=PACKAGE, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


def test_program_gets_the_default_sigint_handler_if_the_runner_ignores_sigint() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        run_program(1, "assert signal.getsignal(signal.SIGINT) is signal.default_int_handler")
    finally:
        signal.signal(signal.SIGINT, before)
