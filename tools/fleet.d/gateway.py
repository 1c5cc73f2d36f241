"""One Larder server in front of the fleet's redis-servers."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from pathlib import Path

from child import start

# A gateway stores no items, so this only limits its buffers.
MEMORY = "256m"
ANSWER_S = 2.0
# This opener ignores the proxy environment variables, because a gateway runs on this machine.
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
STARTED = re.compile(r"listening on (\S+) console (\S+)")


class Gateway:
    """A process of larder serve on free loopback ports."""

    def __init__(self, number: int, folder: Path, server: Path, store: str) -> None:
        self.log = folder / f"gateway-{number}.log"
        self.url = self.console = ""
        self._words = ["dotnet", str(server), "--memory", MEMORY, "--store", store]
        self.process = start([*self._words, "--port", "0", "--console-port", "0"], self.log)

    def restart(self) -> None:
        """Drain and end the process, and start it again on the same ports. The gateway must have been ready before."""
        self.process.terminate()
        self.process.wait()
        ports = [address.rpartition(":")[2] for address in (self.url, self.console)]
        self.process = start([*self._words, "--port", ports[0], "--console-port", ports[1]], self.log)

    def is_ready(self) -> bool:
        """Return whether the gateway has printed its addresses and has found its cluster."""
        started = STARTED.search(self.log.read_text())
        if started is None:
            return False
        self.url, self.console = started[1], started[2]
        try:
            with DIRECT.open(f"{self.console}/health", timeout=ANSWER_S) as answer:
                return answer.status == 200
        except (OSError, urllib.error.URLError):
            return False
