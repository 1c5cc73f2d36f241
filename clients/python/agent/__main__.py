"""`python -m agent [--loop asyncio|uvloop] [--peer PEER]`: reads and writes JSON lines."""

from __future__ import annotations

import argparse
import asyncio
import gc
import importlib.util
import json
import os
import resource
import sys
import threading
from typing import Any

from agent import larder_target, settings
from agent.load import Load
from agent.target import AgentError, Target, Unsupported

_PEERS = ("redis", "redis-cluster", "grpcio", "grpcio-stream", "handshakes", "nothing")
_MAX_LINE_BYTES = 16 * 1024 * 1024


class Agent:
    """The agent. It processes each line in a separate task, so responses may be out of order."""

    def __init__(self, make_target: type[Target], name: str, runtime: str) -> None:
        self._make_target = make_target
        self._name = name
        self._runtime = runtime
        # The targets by name. A target without a name has the name "".
        self._targets: dict[str, Target] = {}
        self._loading = False
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def write(self, answer: dict[str, Any]) -> None:
        """Write one line to stdout."""
        sys.stdout.buffer.write(json.dumps(answer, separators=(",", ":")).encode() + b"\n")
        sys.stdout.buffer.flush()

    async def run(self, lines: asyncio.Queue[bytes | None]) -> None:
        """Process lines until stdin ends."""
        self.write({"ready": {"agent": self._name, "protocol": 1}})
        while (line := await lines.get()) is not None:
            number: Any = None
            try:
                request: dict[str, Any] = json.loads(line)
                number = request["id"]
                if not isinstance(request["op"], str):
                    raise TypeError("op must be a string")
            except (ValueError, KeyError, TypeError) as error:
                self._fail(number, "AgentError", f"invalid request: {error!r}")
                continue
            task = asyncio.create_task(self._answer(number, request))
            self._tasks[number] = task
            task.add_done_callback(lambda _, number=number: self._tasks.pop(number, None))
        for target in self._targets.values():
            await target.aclose()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _answer(self, number: int, request: dict[str, Any]) -> None:
        try:
            self.write({"id": number} | await self._do(number, request))
        except asyncio.CancelledError:
            self._fail(number, "Cancelled", "the driver cancelled the request")
        except Unsupported as error:
            self._fail(number, "Unsupported", str(error))
        except (AgentError, KeyError, ValueError, TypeError) as error:
            self._fail(number, "AgentError", repr(error))

    def _fail(self, number: int | None, code: str, message: str) -> None:
        error = {"code": code, "message": message, "cause": None}
        self.write({"id": number, "result": "error", "error": error})

    async def _do(self, number: int, request: dict[str, Any]) -> dict[str, Any]:
        op = request["op"]
        named: str = request.get("named", "")
        if op == "open":
            return await self._open(named, request)
        if op == "configuration":
            return settings.described(request)
        if op == "cancel":
            if (task := self._tasks.get(request["target"])) is not None:
                task.cancel()
            return {"result": "success"}
        target = self._targets.get(named)
        if target is None:
            raise AgentError("no client is open; send open first")
        if op == "close":
            del self._targets[named]
            await target.aclose()
            return {"result": "success"}
        if op == "stats":
            return {"result": "success"} | target.statistics() | _process()
        if op == "load":
            return await self._load(number, request, target)
        return await target.operate(request)

    async def _open(self, named: str, request: dict[str, Any]) -> dict[str, Any]:
        if named in self._targets:
            raise AgentError("a client is already open; send close first")
        target = self._make_target(request)
        failed = await target.connect() if request.get("eagerConnect", True) else None
        if failed is not None:
            await target.aclose()
            return failed
        self._targets[named] = target
        answer = {"result": "success", "client": self._name, "runtime": self._runtime, "pid": os.getpid()}
        return answer | target.described()

    async def _load(self, number: int, request: dict[str, Any], target: Target) -> dict[str, Any]:
        if self._loading:
            raise AgentError("a load run is already in progress")
        self._loading = True
        try:
            load = Load(target, request)
            async with asyncio.TaskGroup() as group:
                progress = group.create_task(self._progress(number, load))
                result = await load.run()
                progress.cancel()
            return {"result": "success"} | result | {"connections": target.statistics()["connections"]}
        finally:
            self._loading = False

    async def _progress(self, number: int, load: Load) -> None:
        async for line in load.progress():
            self.write({"id": number, "progress": line})


def _process() -> dict[str, Any]:
    used = resource.getrusage(resource.RUSAGE_SELF)
    with open("/proc/self/statm", encoding="ascii") as statm:
        resident = int(statm.read().split()[1]) * resource.getpagesize()
    return {"residentBytes": resident, "managedBytes": None, "cpuSeconds": used.ru_utime + used.ru_stime}


def _read_stdin(loop: asyncio.AbstractEventLoop, lines: asyncio.Queue[bytes | None]) -> None:
    while line := sys.stdin.buffer.readline(_MAX_LINE_BYTES + 1):
        loop.call_soon_threadsafe(lines.put_nowait, line)
    loop.call_soon_threadsafe(lines.put_nowait, None)


def _target_of(peer: str | None) -> tuple[type[Target], str]:
    if peer == "redis":
        from agent.redis_target import RedisTarget

        return RedisTarget, "redis-py"
    if peer == "redis-cluster":
        from agent.redis_target import RedisClusterTarget

        return RedisClusterTarget, "redis-py-cluster"
    if peer == "grpcio":
        from agent.grpcio_target import GrpcioTarget

        return GrpcioTarget, "grpcio"
    if peer == "grpcio-stream":
        from agent.grpcio_stream import GrpcioStreamTarget

        return GrpcioStreamTarget, "python-grpcio-stream"
    if peer == "handshakes":
        from agent.handshakes_target import HandshakesTarget

        return HandshakesTarget, "handshakes"
    if peer == "nothing":
        from agent.nothing_target import NothingTarget

        return NothingTarget, "nothing"
    return larder_target.LarderTarget, "python"


def main() -> None:
    """Run the agent until stdin ends."""
    parser = argparse.ArgumentParser(prog="python -m agent")
    has_uvloop = importlib.util.find_spec("uvloop") is not None
    parser.add_argument("--loop", choices=("asyncio", "uvloop"), default="uvloop" if has_uvloop else "asyncio")
    parser.add_argument("--gc-threshold", type=int, help="first threshold to pass to gc.set_threshold")
    parser.add_argument("--peer", choices=_PEERS)
    arguments = parser.parse_args()
    if arguments.gc_threshold is not None:
        gc.set_threshold(arguments.gc_threshold)
    make_target, name = _target_of(arguments.peer)

    async def start() -> None:
        # The queue needs no limit, because the driver limits its requests in flight.
        lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        threading.Thread(target=_read_stdin, args=(asyncio.get_running_loop(), lines), daemon=True).start()
        await Agent(make_target, name, f"CPython {sys.version.split()[0]}, {arguments.loop}").run(lines)

    factory = None
    if arguments.loop == "uvloop":
        import uvloop

        factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(start())


main()
