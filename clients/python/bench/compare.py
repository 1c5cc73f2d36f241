"""`python -m bench.compare`: compares the pipeline, unary calls, redis-py and grpcio without Larder's client.

The rounds of the clients alternate. The results are medians.

Everything runs on this machine: a Larder server, a redis-server, and one agent process for each client. A round in
which other processes used the machine is discarded and reported.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import socket
import statistics
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agent.histogram import value_of

_FOLDER = Path(__file__).resolve().parent.parent
_TICKS = os.sysconf("SC_CLK_TCK")
# The share of one core that other processes may use before a round is discarded.
_MOST_OTHERS = 0.15
# The maximum number of attempts of a round. The last attempt is kept even if it was disturbed, and its row contains the
# number of disturbed rounds.
_TRIES = 2
_CLIENTS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "pipeline": ([], {"transport": "pipeline"}),
    "unary": ([], {"transport": "unary"}),
    "unary-4-channels": ([], {"transport": "unary", "channels": 4}),
    "pipeline-by-grpcio": (["--peer", "grpcio-stream"], {"transport": "pipeline"}),
    "pipeline-asyncio": (["--loop", "asyncio"], {"transport": "pipeline"}),
    # Less frequent garbage collection, as an application with thousands of tasks may configure it.
    "pipeline-gc": (["--gc-threshold", "20000"], {"transport": "pipeline"}),
    "redis-py": (["--peer", "redis"], {}),
    "redis-py-asyncio": (["--peer", "redis", "--loop", "asyncio"], {}),
    "grpcio": (["--peer", "grpcio"], {}),
}


class AgentProcess:
    """An agent that processes one request at a time."""

    def __init__(self, process: Process) -> None:
        self.process = process

    @staticmethod
    async def start(arguments: list[str]) -> AgentProcess:
        command = [sys.executable, "-m", "agent", *arguments]
        process = await asyncio.create_subprocess_exec(*command, cwd=_FOLDER, stdin=PIPE, stdout=PIPE, limit=2**26)
        assert process.stdout is not None
        await process.stdout.readline()
        return AgentProcess(process)

    async def ask(self, **request: Any) -> dict[str, Any]:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps({"id": 1} | request).encode() + b"\n")
        answer = json.loads(await self.process.stdout.readline())
        if answer["result"] == "error":
            raise RuntimeError(f"{request['op']}: {answer['error']}")
        return answer

    async def stop(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        await self.process.wait()


async def start_server(command: list[str]) -> tuple[Process, str]:
    """Start Larder on a free port. Returns it and its endpoint."""
    more = ["--port", "0", "--console-port", "0"]
    process = await asyncio.create_subprocess_exec(*command, *more, stdout=PIPE, stderr=asyncio.subprocess.DEVNULL)
    assert process.stdout is not None
    while line := (await process.stdout.readline()).decode():
        if found := re.search(r"listening on http://(\S+)", line):
            return process, found[1]
    raise RuntimeError("the server ended before it listened")


async def start_redis() -> tuple[Process, str]:
    """Start redis-server on a free port, without persistence. Returns it and its endpoint."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.DEVNULL)
    for _ in range(500):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.02)
            continue
        writer.close()
        await writer.wait_closed()
        return process, f"127.0.0.1:{port}"
    raise RuntimeError("redis-server does not listen")


def _busy_seconds() -> float:
    fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    user, nice, system, _, _, irq, softirq = map(int, fields[:7])
    return (user + nice + system + irq + softirq) / _TICKS


def _used_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def quantile_us(histogram: dict[str, Any], q: float) -> float:
    """Return a quantile of an agent's histogram, in microseconds."""
    counts = histogram["counts"]
    left = -int(-q * sum(count for _, count in counts) // 1)
    for index, count in counts:
        left -= count
        if left <= 0:
            return value_of(index) / 1_000
    return 0.0


def _place(row: dict[str, Any]) -> tuple[bool, int, int, str]:
    """Return the position of a row in the table."""
    name = row["client"].partition("@")[0]
    return row["cap"] == "default", row["inFlight"], list(_CLIENTS).index(name), row["client"]


class Comparison:
    """Runs several rounds of all clients. `run` takes the number of calls in flight."""

    def __init__(self, arguments: argparse.Namespace, servers: dict[str, tuple[Process, str]]) -> None:
        self._arguments = arguments
        self._servers = servers
        self.rows: list[dict[str, Any]] = []

    async def run(self, callers: int, capped: bool) -> None:
        agents: dict[str, AgentProcess] = {}
        rounds: dict[str, list[dict[str, Any]]] = {}
        try:
            for name in self._arguments.clients.split(","):
                kind, _, own_cap = name.partition("@")
                flags, settings = _CLIENTS[kind]
                agents[name] = await AgentProcess.start(flags)
                _, endpoint = self._server_of(name)
                cap = {} if not capped and not name.startswith("redis") else {"maxInFlight": min(callers, 1_000)}
                if capped:
                    cap = {"maxInFlight": callers}
                if own_cap:
                    cap = {"maxInFlight": int(own_cap)}
                opened = {"requestTimeoutMs": 20_000} | cap | settings
                await agents[name].ask(op="open", endpoint=endpoint, **opened)
                rounds[name] = []
            for _ in range(self._arguments.rounds):
                for name, agent in agents.items():
                    rounds[name].append(await self._round(name, agent, callers))
        finally:
            for agent in agents.values():
                await agent.stop()
        for name, results in rounds.items():
            self._row(name, callers, capped, results)

    def _server_of(self, name: str) -> tuple[Process, str]:
        return self._servers["redis" if name.startswith("redis") else "larder"]

    async def _round(self, name: str, agent: AgentProcess, callers: int) -> dict[str, Any]:
        server = self._server_of(name)[0].pid
        result: dict[str, Any] = {}
        for _ in range(_TRIES):
            ours = [server, agent.process.pid, os.getpid()]
            busy, used = _busy_seconds(), sum(map(_used_seconds, ours))
            server_used = _used_seconds(server)
            result = await agent.ask(
                op="load", callers=callers, seconds=self._arguments.seconds, warmupSeconds=0.5, progress=False
            )
            others = (_busy_seconds() - busy) - (sum(map(_used_seconds, ours)) - used)
            result["serverCpuSeconds"] = _used_seconds(server) - server_used
            result["disturbed"] = others > _MOST_OTHERS * (self._arguments.seconds + 0.5)
            if not result["disturbed"]:
                return result
            print(f"  thrown away: {name} at {callers}: others used {others:.2f} CPU-seconds", flush=True)
        print(f"  kept all the same: {name} at {callers}: the machine does not become quiet", flush=True)
        return result

    def _row(self, name: str, callers: int, capped: bool, results: list[dict[str, Any]]) -> None:
        def median(of: Callable[[dict[str, Any]], float]) -> float:
            return statistics.median(map(of, results))

        self.rows.append(
            {
                "client": name,
                "inFlight": callers,
                "cap": "in flight" if capped else "default",
                "requestsPerSecond": round(median(lambda r: r["requests"] / r["seconds"])),
                "p50Us": round(median(lambda r: quantile_us(r["histogram"], 0.5)), 1),
                "p99Us": round(median(lambda r: quantile_us(r["histogram"], 0.99)), 1),
                "p999Us": round(median(lambda r: quantile_us(r["histogram"], 0.999)), 1),
                "samples": sum(r["requests"] for r in results),
                "errors": sum(sum(r["errors"].values()) for r in results),
                "clientCpuUsPerCall": round(median(lambda r: r["clientCpuSeconds"] / max(1, r["requests"]) * 1e6), 2),
                "residentMb": round(max(r["residentBytes"] for r in results) / 1e6),
                "rounds": len(results),
                "disturbed": sum(r["disturbed"] for r in results),
            }
        )

    def keep(self) -> None:
        """Store the rows in the results' file. They replace earlier rows at the same position."""
        if (results := self._arguments.json) is None:
            return
        earlier = [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []
        kept = {_place(row): row for row in earlier} | {_place(row): row for row in self.rows}
        self.rows = [kept[place] for place in sorted(kept)]
        results.write_text("".join(json.dumps(row) + "\n" for row in self.rows))

    def table(self) -> None:
        """Print the rows, each with its ratio to the redis-py row with the same number of calls in flight."""
        peers = {(r["inFlight"], r["cap"]): r for r in self.rows if r["client"] == "redis-py"}
        print(f"\n{'in flight':>9} {'client':<17} {'req/s':>9} {'×redis':>7}", end="")
        print(f" {'p50 µs':>9} {'p99 µs':>9} {'p99.9 µs':>9} {'CPU µs':>7} err disturbed")
        for r in self.rows:
            peer = peers.get((r["inFlight"], r["cap"]))
            ratio = f"{r['requestsPerSecond'] / peer['requestsPerSecond']:.2f}" if peer else ""
            many = f"{r['inFlight']}" + ("*" if r["cap"] == "default" else "")
            print(
                f"{many:>9} {r['client']:<17} {r['requestsPerSecond']:>9,} {ratio:>7} {r['p50Us']:>9,.0f}"
                f" {r['p99Us']:>9,.0f} {r['p999Us']:>9,.0f} {r['clientCpuUsPerCall']:>7.2f}"
                f" {r['errors']} {r['disturbed'] or ''}"
            )
        print("* callers, with each configuration's default cap (redis-py: a pool of 1,000); CPU: the client's, a call")


async def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.compare")
    parser.add_argument("--server", required=True, help="the command that starts Larder, arguments parted by spaces")
    parser.add_argument(
        "--clients",
        default="pipeline,redis-py,unary,grpcio",
        help=", ".join(_CLIENTS) + "; NAME@CAP has a cap of its own",
    )
    parser.add_argument("--in-flight", default="1,50,100,1000")
    parser.add_argument("--callers", default="", help="numbers of callers to run with the default cap")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--json", type=Path, help="keep the rows here too, beside those of earlier runs")
    arguments = parser.parse_args()
    servers = {"larder": await start_server(arguments.server.split()), "redis": await start_redis()}
    comparison = Comparison(arguments, servers)
    try:
        for callers in filter(None, arguments.in_flight.split(",")):
            await comparison.run(int(callers), capped=True)
            comparison.keep()
        for callers in filter(None, arguments.callers.split(",")):
            await comparison.run(int(callers), capped=False)
            comparison.keep()
    finally:
        for process, _ in servers.values():
            process.terminate()
            await process.wait()
        comparison.table()


if __name__ == "__main__":
    asyncio.run(main())
