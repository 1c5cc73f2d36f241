"""Child processes of the fleet, which end when this process ends or is killed."""

from __future__ import annotations

import ctypes
import signal
import subprocess
import sys
from pathlib import Path

PR_SET_PDEATHSIG = 1
# Load the library here, because the child process must do as little as possible between fork and exec.
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def start(words: list[str], log: Path) -> subprocess.Popen[bytes]:
    """Start a program that writes to a log and ignores Ctrl+C. The system kills it if this process is killed."""
    with log.open("wb") as output:
        return subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            preexec_fn=_end_with_parent if _LIBC else None,
        )


def _end_with_parent() -> None:
    assert _LIBC is not None
    _LIBC.prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL))
