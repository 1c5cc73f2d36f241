"""Separate programs that use the client, so that forks and signals do not affect the test runner."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2]

HEAD = """
import asyncio, contextvars, os, signal, sys, threading
from larder_cache import CacheClient, CacheError, CredentialProvider, ErrorCode, sync
from larder_cache import responses as r
# A test runner in the background of a shell ignores SIGINT, and its child processes inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
at = CredentialProvider.local(port=int(sys.argv[1]))

def child(work):
    # Forks; the child does the work, and its exit code says whether it did.
    pid = os.fork()
    if pid == 0:
        try:
            work()
        except BaseException as failure:
            print(repr(failure), flush=True)
            os._exit(1)
        os._exit(0)
    return os.waitpid(pid, 0)[1]
"""


def run_program(port: int, program: str) -> None:
    """Run a separate program, so that forks and signals do not affect the test runner. A hang is a failure.

    SIGINT raises KeyboardInterrupt in the program, even if the test runner ignores SIGINT.
    """
    command = [sys.executable, "-c", HEAD + textwrap.dedent(program), str(port)]
    ended = subprocess.run(
        command, cwd=FOLDER, capture_output=True, text=True, timeout=float(os.environ.get("LARDER_PATIENCE_S", "60"))
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
