"""Opens TLS connections at a steady rate, each with a full handshake, and closes them immediately. Uses no client.

Uses OpenSSL through Python's ssl module, because a .NET client needs three times as much CPU time per connection.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
import time
from typing import Any

from agent.nothing_target import NothingTarget
from agent.target import AgentError, Unsupported

_TICK_S = 0.0005
_TIMEOUT_S = 5.0

# The number of threads. Several threads are needed because a thread waits for the server during a handshake.
_AT_ONCE = 4

# If a thread is behind its schedule by more than this time, it omits the handshakes that were due earlier.
_MOST_BEHIND_S = 0.02


class HandshakesTarget(NothingTarget):
    """Supports `shakeBegin` (`rate` per second) and `shakeEnd`, which returns the counts of successes and failures."""

    def __init__(self, request: dict[str, Any]) -> None:
        super().__init__(request)
        host, _, port = str(request["endpoint"]).rpartition(":")
        self._address = (host, int(port))
        self._context = ssl.create_default_context(cafile=request["caFile"])
        self._context.set_alpn_protocols(["h2"])
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._made = 0
        self._failed = 0

    async def operate(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["op"] == "shakeBegin":
            self._begin(float(request["rate"]))
            return {"result": "success"}
        if request["op"] == "shakeEnd":
            await self.aclose()
            return {"result": "success", "made": self._made, "failed": self._failed}
        raise Unsupported("this peer supports only the operations shakeBegin and shakeEnd")

    async def aclose(self) -> None:
        self._stop.set()
        for thread in self._threads:
            await asyncio.to_thread(thread.join)
        self._threads = []

    def _begin(self, rate: float) -> None:
        if self._threads or rate <= 0:
            raise AgentError("the handshake run cannot start: rate must be above 0, and no other run may be active")
        self._stop.clear()
        self._made = self._failed = 0
        for _ in range(_AT_ONCE):
            thread = threading.Thread(target=self._shake, args=(rate / _AT_ONCE,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _shake(self, rate: float) -> None:
        due = time.monotonic()
        while not self._stop.is_set():
            now = time.monotonic()
            if now < due:
                time.sleep(_TICK_S)
                continue
            due = max(due + 1 / rate, now - _MOST_BEHIND_S)
            failed = 0
            try:
                self._connect()
            except OSError:
                failed = 1
            with self._lock:
                self._made += 1 - failed
                self._failed += failed

    def _connect(self) -> None:
        with socket.create_connection(self._address, _TIMEOUT_S) as plain:
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._context.wrap_socket(plain, server_hostname="localhost"):
                pass
