"""`./larder lab hostile --client python [--minutes 10] [--seed N]`: misuses a client in many ways.

Uses arguments of every type, cancellations, and hooks and factories that raise, while the server is paused, stopped and
restarted. After each round, the client must have released all permits, ids, timers and callers. The memory use must not
keep growing. Otherwise, the exit code is 1.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import os
import random
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from time import monotonic
from typing import Any

from bench.hostile_caller import HostileCaller, RaisingHooks
from larder_cache import CacheClient, Configurations, CredentialProvider, Transport
from larder_cache import responses as r
from larder_cache import sync

_ROOT = Path(__file__).resolve().parents[3]
_SETTLED_S = 20.0
# The growth that is permitted. The memory that the garbage collector and the allocator retain varies by about a tenth
# of this.
_MOST_BLOCKS = 20_000
_MOST_RESIDENT_BYTES = 16 << 20


class MovableServer:
    """A server on one port that can be paused, killed and restarted."""

    def __init__(self) -> None:
        self.port = 0
        self.troubles: dict[str, int] = {}
        self._process: subprocess.Popen[str] | None = None
        self.start()

    def start(self) -> None:
        found = sorted((_ROOT / "server/src/Larder.Server/bin").glob("*/*/larder-server.dll"), key=os.path.getmtime)
        command = ["dotnet", str(found[-1]), "--port", str(self.port), "--console-port", "0"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if at := re.search(r"listening on http://\S+?:(\d+)", line):
                self.port = int(at[1])
                return
        raise RuntimeError("the server ended before it listened")

    def stop(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    async def trouble(self, chance: random.Random) -> None:
        """Pause the server, kill and restart it, or do nothing."""
        assert self._process is not None
        kind = chance.choice(["none", "none", "pause", "restart"])
        self.troubles[kind] = self.troubles.get(kind, 0) + 1
        await asyncio.sleep(chance.random() * 0.3)
        if kind == "pause":
            self._process.send_signal(signal.SIGSTOP)
            await asyncio.sleep(chance.random() * 1.5)
            self._process.send_signal(signal.SIGCONT)
        elif kind == "restart":
            self.stop()
            await asyncio.sleep(chance.random())
            await asyncio.get_running_loop().run_in_executor(None, self.start)


class Hostile:
    """Runs the rounds and collects the faults that they find."""

    def __init__(self, seed: int, transports: list[str]) -> None:
        self._chance = random.Random(seed)
        self._caller = HostileCaller(self._chance)
        self._server = MovableServer()
        self.faults: list[str] = []
        self._blocks: list[int] = []
        self._resident: list[int] = []
        self._calls = 0
        credentials = CredentialProvider.local(port=self._server.port)
        usual = Configurations.Laptop.latest().with_settings(
            request_timeout_s=2, max_in_flight_unary=100, max_in_flight_pipeline=100, queue_limit=2_000
        )
        self._clients = [
            CacheClient(
                credentials,
                default_ttl=5,
                configuration=usual.with_settings(transport=each),
                metrics=RaisingHooks(self._chance),
            )
            for each in map(Transport, transports)
        ]
        self._blocking = sync.CacheClient(credentials, default_ttl=5, configuration=usual)

    async def run(self, minutes: float) -> None:
        asyncio.get_running_loop().set_exception_handler(self._on_exception)
        threading.excepthook = self._on_thread
        until, rounds = monotonic() + minutes * 60, 0
        while monotonic() < until and len(self.faults) < 10:
            rounds += 1
            await self._round()
            gc.collect()
            self._blocks.append(sys.getallocatedblocks())
            self._resident.append(_resident_bytes())
            if rounds % 20 == 0:
                self._report(rounds)
        for client in self._clients:
            await client.aclose()
        await asyncio.get_running_loop().run_in_executor(None, self._blocking.close)
        self._server.stop()
        await asyncio.sleep(0.2)
        if left := [task for task in asyncio.all_tasks() if "larder" in task.get_name()]:
            self._fault(f"tasks are left after close: {left}")
        self._grown("allocated blocks", self._blocks, _MOST_BLOCKS)
        self._grown("resident bytes", self._resident, _MOST_RESIDENT_BYTES)
        self._report(rounds)
        verdict = "NOT HELD" if self.faults else "held"
        print(f"{verdict}: {rounds} rounds, {self._calls:,} calls, {len(self.faults)} faults", flush=True)

    async def _round(self) -> None:
        chance, loop = self._chance, asyncio.get_running_loop()
        story = asyncio.create_task(self._server.trouble(chance))
        count = 500 + chance.randrange(1_500)
        calls = [asyncio.create_task(self._caller.call(chance.choice(self._clients))) for _ in range(count)]
        threads = [threading.Thread(target=self._blocking_calls, args=(20,), daemon=True) for _ in range(8)]
        for thread in threads:
            thread.start()
        for victim in chance.sample(calls, count // 4):
            if chance.random() < 0.3:
                await asyncio.sleep(chance.random() / 100)
            victim.cancel()
        await story
        self._calls += count + 160
        _, late = await asyncio.wait(calls, timeout=_SETTLED_S)
        for call in set(calls) - late:
            if not call.cancelled() and (thrown := call.exception()) is not None:
                self._fault(f"a call threw {thrown!r}")
        if late:
            self._fault(f"{len(late)} calls hang {_SETTLED_S:g} s after their round")
        for thread in threads:
            await loop.run_in_executor(None, thread.join, _SETTLED_S)
            if thread.is_alive():
                self._fault("a thread hangs")
        for client in self._clients:
            await self._assert_idle(client)
        await loop.run_in_executor(None, self._blocking_rests)

    def _blocking_calls(self, count: int) -> None:
        for _ in range(count):
            self._caller.call_blocking(self._blocking)

    async def _assert_idle(self, client: CacheClient) -> None:
        """Check that the client's calls succeed again and that the client has no resources in use."""
        until = monotonic() + _SETTLED_S
        while True:
            served = await client.cache("cache").results.set("rest", "1")
            held = client.held()
            if isinstance(served, r.Success) and not any(held.values()):
                return
            if monotonic() > until:
                self._fault(f"not at rest: {served}, {held}")
                return
            await asyncio.sleep(0.02)

    def _blocking_rests(self) -> None:
        until = monotonic() + _SETTLED_S
        while True:
            served = self._blocking.cache("cache").results.set("rest", "1")
            held = self._blocking.held()
            if isinstance(served, r.Success) and not any(held.values()):
                return
            if monotonic() > until:
                self._fault(f"blocking, not at rest: {served}, {held}")
                return

    def _on_exception(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        # grpcio's own poller reports this error if two event loops of a process use the poller. The error is harmless.
        if "_handle_events" not in context["message"]:
            self._fault(f"the event loop was told: {context['message']} {context.get('exception')!r}")

    def _on_thread(self, told: threading.ExceptHookArgs) -> None:
        self._fault(f"a thread ended: {told.exc_value!r}")

    def _fault(self, text: str) -> None:
        self.faults.append(text)
        print(f"FAULT {text}", flush=True)

    def _grown(self, what: str, samples: list[int], most: int) -> None:
        """Report a fault if the minimum of the last third exceeds the minimum of the middle third by more than `most`.

        Minima are compared, so that memory that is in use after only some of the rounds does not count as growth.
        """
        third = len(samples) // 3
        grown = min(samples[-third:]) - min(samples[third : 2 * third]) if third >= 3 else 0
        print(f"{what}: {grown:,} more at the end than in the middle (at most {most:,})", flush=True)
        if grown > most:
            self._fault(f"{what} grew by {grown:,}")

    def _report(self, rounds: int) -> None:
        print(
            f"{rounds} rounds, {self._calls:,} calls, {self._blocks[-1]:,} blocks, {self._resident[-1] >> 20} MiB,",
            end="",
        )
        print(f" server {self._server.troubles}\n  {dict(self._caller.outcomes.most_common())}", flush=True)


def _resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    parser = argparse.ArgumentParser(prog="./larder lab hostile --client python")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument(
        "--transports", default="pipeline,unary", help="the asyncio clients'; the blocking one is always there"
    )
    parser.add_argument("--seed", type=int, default=os.getpid())
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    logging.getLogger("larder_cache").setLevel(logging.CRITICAL)
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    hostile = Hostile(arguments.seed, arguments.transports.split(","))
    asyncio.run(hostile.run(arguments.minutes))
    sys.exit(1 if hostile.faults else 0)


if __name__ == "__main__":
    main()
