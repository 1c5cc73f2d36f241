"""Run all attacks concurrently against one server with a kernel memory limit, next to two well-behaved neighbours.

./larder lab http2-attackers [--minutes N] [--only NAME,…] [--server larder-server.dll].
The exit code is 0 if no measurement exceeded its bound.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any

import attacks
from frames import END_HEADERS, HEADERS, MOST_WINDOW, SET, Link, call, field, frame, grpc, noise, window

ROOT = Path(__file__).parents[2]
MEMORY_MB = 256
# The bound of the server's resident memory: 115 % of the store's limit, plus 100 MB for the runtime, connections and
# buffers.
BOUND_MB = MEMORY_MB * 1.15 + 100
# The memory limit of the server's cgroup. If the server far exceeds its bound, the kernel kills the server instead of
# letting the machine run out of memory.
KERNEL_MB = 2_048
P99_FACTOR = 3
GIVEN_BACK_S = 10
STOPPED_S = 5
# If a measured p99, in ms, is lower than this value, the bound is computed from this value instead. The difference
# between lower p99 values is only noise of the machine.
LEAST_P99_MS = 1.0


class Server:
    """A server process. It runs in a separate memory cgroup if the machine permits creating one."""

    def __init__(self, dll: str, name: str) -> None:
        named = f"larder-attackers-{os.getpid()}-{name}"
        self.group = Path(f"/sys/fs/cgroup/memory/{named}")
        if not self.group.parent.exists():
            self.group = Path(f"/sys/fs/cgroup/{named}")
        self.limited = self._limit()
        command = ["dotnet", dll, "--port", "0", "--console-port", "0", "--memory", f"{MEMORY_MB}m"]
        join: Callable[[], None] | None = self._join if self.limited else None
        self.log = open(f"/tmp/{named}.log", "w+")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log, text=True, preexec_fn=join)
        assert self.process.stdout is not None
        found = re.search(r"listening on http://\S+:(\d+) console (\S+)", self.process.stdout.readline())
        if not found:
            raise SystemExit("the server did not start")
        self.port, self.console = int(found[1]), found[2]

    def _limit(self) -> bool:
        try:
            self.group.mkdir()
            version_1 = self.group / "memory.limit_in_bytes"
            (version_1 if version_1.exists() else self.group / "memory.max").write_text(str(KERNEL_MB << 20))
            return True
        except OSError:
            return False

    def _join(self) -> None:
        (self.group / "cgroup.procs").write_text(str(os.getpid()))

    @property
    def resident_mb(self) -> float:
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
            return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024
        except (OSError, IndexError):
            return 0

    @property
    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def stats(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.console}/stats", timeout=10) as answer:
            return dict(json.load(answer))

    def close(self) -> None:
        if self.process.poll() is None:
            self.stop()
        if self.limited:
            self.group.rmdir()

    def stop(self) -> float:
        """Stop the server with SIGTERM. Kill the server if it is still running after a minute.

        Returns:
            The seconds until the server ended.
        """
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        return time.monotonic() - began


class Attackers:
    """Processes that attack one server until a given time. Each process runs one attack."""

    def __init__(self, acts: list[Callable[[int], None]], port: int, end: float) -> None:
        self.processes = [multiprocessing.Process(target=attack, args=(each, port, end), daemon=True) for each in acts]
        for each in self.processes:
            each.start()

    def stop(self) -> None:
        for each in self.processes:
            each.kill()
            each.join()


def attack(act: Callable[[int], None], port: int, end: float) -> None:
    """Repeat one attack until the end.

    The process has idle CPU priority, so that it takes no CPU time from the server, as if it ran on another machine.
    """
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    while time.time() < end:
        try:
            act(port)
        except OSError:
            time.sleep(0.05)


def neighbour(port: int, transport: str, seconds: float, told: Queue[dict[str, Any]]) -> None:
    """Measure the latency of gets by the Python client.

    Two callers each pause for 10 ms after a call. Together they make about 200 calls per second.
    """
    sys.path.insert(0, str(ROOT / "clients/python"))
    import dataclasses

    import larder_cache as larder
    from larder_cache.responses import Error

    async def main() -> dict[str, Any]:
        way = larder.Transport.PIPELINE if transport == "pipelined" else larder.Transport.UNARY
        configuration = dataclasses.replace(larder.Configurations.Laptop.latest(), transport=way, max_retries=0)
        credentials = larder.CredentialProvider.local(port=port)
        took: list[float] = []
        errors: dict[str, int] = {}
        async with larder.CacheClient(credentials, default_ttl=3_600, configuration=configuration) as client:
            await client.cache("cache").results.set("neighbour", "v")
            end = time.monotonic() + seconds

            async def caller() -> None:
                while (at := time.monotonic()) < end:
                    answer = await client.cache("cache").results.get("neighbour")
                    took.append((time.monotonic() - at) * 1e3)
                    # A miss is allowed, because sets of the attackers may evict the value. An error is not allowed.
                    if isinstance(answer, Error):
                        errors[str(answer)[:150]] = errors.get(str(answer)[:150], 0) + 1
                    await asyncio.sleep(0.01)

            await asyncio.gather(caller(), caller())
        took.sort()
        return dict(transport=transport, calls=len(took), p50=took[len(took) // 2], p99=took[len(took) * 99 // 100], most=took[-1], errors=errors)

    told.put(asyncio.run(main()))


def neighbours(port: int, seconds: float) -> Callable[[], dict[str, dict[str, Any]]]:
    told: Queue[dict[str, Any]] = multiprocessing.Queue()
    names = ("unary", "pipelined")
    running = [multiprocessing.Process(target=neighbour, args=(port, name, seconds, told)) for name in names]
    for each in running:
        each.start()

    def result() -> dict[str, dict[str, Any]]:
        answers = {}
        for _ in running:
            answer = told.get(timeout=seconds + 120)
            answers[answer["transport"]] = answer
        return answers

    return result


def on_another(dll: str, acts: list[Callable[[int], None]], port: int, seconds: float) -> dict[str, dict[str, Any]]:
    """Measure the neighbours on a server that is not attacked.

    Meanwhile, the attackers attack a different server, so that they use the same processors as in a real attack.
    """
    other = Server(dll, "other")
    try:
        preset(other.port)
        attackers = Attackers(acts, other.port, time.time() + seconds + 60)
        time.sleep(min(2, seconds / 10))
        beside = neighbours(port, seconds)()
        attackers.stop()
        return beside
    finally:
        other.close()


def preset(port: int) -> None:
    for key, length in ((attacks.LARGE, 4_990_000), (attacks.MIDDLE, 16_000)):
        link = Link(port, (4, MOST_WINDOW))
        link.send(window(0, 1 << 30) + frame(HEADERS, END_HEADERS, 1, call(SET)))
        link.upload(1, grpc(field(1, key) + field(2, noise(length)) + field(3, 3_600_000)))
        time.sleep(0.3)
        link.close()


def main() -> int:
    parser = argparse.ArgumentParser(prog="larder lab http2-attackers", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--only", default="", help=f"of {', '.join(each.__name__ for each in attacks.ALL)}")
    parser.add_argument("--server", default=str(ROOT / "server/src/Larder.Server/bin/Release/net10.0/larder-server.dll"))
    options = parser.parse_args()
    chosen = [each for each in attacks.ALL if not options.only or each.__name__ in options.only.split(",")]
    seconds = options.minutes * 60
    server = Server(options.server, "server")
    broken: list[str] = []

    def check(holds: bool, text: str) -> None:
        print(f"{'ok    ' if holds else 'BROKEN'} {text}", flush=True)
        if not holds:
            broken.append(text)

    limit = f"a kernel limit of {KERNEL_MB:,} MB" if server.limited else "no kernel limit: cannot create a control group on this machine"
    print(f"{len(chosen)} attackers, {options.minutes:g} minutes, --memory {MEMORY_MB}m, {limit}", flush=True)
    try:
        preset(server.port)
        alone = neighbours(server.port, min(10, seconds))()
        apart = on_another(options.server, chosen, server.port, max(1, min(60, seconds / 5)))
        before = server.stats()
        print(
            f"before the attacks: {server.resident_mb:.0f} MB resident, {before['connections']} connections, "
            f"{server.descriptors} file descriptors",
            flush=True,
        )
        most, over = [0.0], threading.Event()

        def watch() -> None:
            while not over.wait(0.05):
                most[0] = max(most[0], server.resident_mb)

        watching = threading.Thread(target=watch, daemon=True)
        watching.start()
        end = time.time() + seconds
        attackers = Attackers(chosen, server.port, end)
        time.sleep(min(2, seconds / 10))
        beside = neighbours(server.port, max(1, end - time.time() - 2))()
        attackers.stop()
        over.set()
        watching.join()

        alive = server.process.poll() is None
        check(alive, "the server is still running" if alive else f"the server exited with code {server.process.returncode}")
        check(0 < most[0] <= BOUND_MB, f"peak resident memory {most[0]:.0f} MB (limit {BOUND_MB:.0f} MB)")
        for name, got in beside.items():
            bound = max(alone[name]["p99"], apart[name]["p99"], LEAST_P99_MS) * P99_FACTOR
            check(not got["errors"], f"{name} neighbour: {sum(got['errors'].values())} errors of {got['calls']:,} calls {got['errors'] or ''}")
            check(
                got["p99"] <= bound,
                f"{name} neighbour: p99 {got['p99']:.2f} ms, maximum {got['most']:.1f} ms; p99 without attackers {alone[name]['p99']:.2f} ms, "
                f"p99 while the attackers attack another server {apart[name]['p99']:.2f} ms (limit for p99: {bound:.2f} ms)",
            )
        if alive:
            check(*given_back(server, before))
            took = server.stop()
            check(
                took <= STOPPED_S and server.process.returncode == 0,
                f"SIGTERM: exited after {took:.1f} s with code {server.process.returncode} "
                f"(expected: at most {STOPPED_S} s, code 0)",
            )
    finally:
        server.close()
    server.log.seek(0)
    print(f"server log: {len(server.log.read()):,} bytes in {server.log.name}", flush=True)
    print("all checks passed" if not broken else f"{len(broken)} checks failed", flush=True)
    return 1 if broken else 0


def given_back(server: Server, before: dict[str, Any]) -> tuple[bool, str]:
    """Wait up to 10 s until the server has no connections or streams and its memory is within its bound.

    Returns:
        Whether the server reached this state in time, and a line of text for the report.
    """
    began, got = time.monotonic(), before
    while time.monotonic() - began < GIVEN_BACK_S:
        try:
            got = server.stats()
        except OSError as error:
            return False, f"after the attacks: the console does not respond: {error}"
        if got["connections"] <= 0 and got["streams"] <= 0 and server.resident_mb <= BOUND_MB:
            break
        time.sleep(0.25)
    took = time.monotonic() - began
    text = (
        f"{took:.1f} s after the attacks: {got['connections']} connections, {got['streams']} streams, "
        f"{server.resident_mb:.0f} MB resident"
    )
    return took < GIVEN_BACK_S, f"{text} (limit {GIVEN_BACK_S} s)"


if __name__ == "__main__":
    sys.exit(main())
