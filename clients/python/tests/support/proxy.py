"""A TCP proxy that can lose or hold what it carries."""

from __future__ import annotations

import asyncio


class Proxy:
    """`async with Proxy(port) as proxy`: forwards to a loopback port; `freeze()` drops silently, `cut()` resets."""

    def __init__(self, target: int, host: str = "127.0.0.1", port: int = 0) -> None:
        self._host = host
        # Where later connections go.
        self.target = target
        self._frozen = asyncio.Event()
        self._flows, self._held = _set(), _set()
        self._writers: list[asyncio.StreamWriter] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        # Where it listens; 0 until then: a free one.
        self.port = port
        self.accepted = 0

    async def __aenter__(self) -> Proxy:
        self._server = await asyncio.start_server(self._carry, self._host, self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        await asyncio.sleep(0)  # What was just accepted has its task begun.
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    def freeze(self) -> None:
        """Swallow everything on the connections there are; later ones are carried."""
        self._frozen.set()
        self._frozen = asyncio.Event()

    def hold(self) -> None:
        """Keep back everything on the connections there are until `release`; later ones are carried."""
        self._held = self._flows
        self._held.clear()
        self._flows = _set()

    def release(self) -> None:
        """Carry what was held."""
        self._held.set()

    def cut(self) -> None:
        """Reset every connection there is."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted += 1
        self._keep(asyncio.current_task())
        try:
            up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except (OSError, asyncio.CancelledError):
            writer.transport.abort()
            return
        self._writers += [writer, up_writer]
        frozen, flows = self._frozen, self._flows
        for source, sink in ((reader, up_writer), (up_reader, writer)):
            self._keep(asyncio.create_task(self._pump(source, sink, frozen, flows)))

    def _keep(self, task: asyncio.Task[None] | None) -> None:
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _pump(
        self,
        source: asyncio.StreamReader,
        sink: asyncio.StreamWriter,
        frozen: asyncio.Event,
        flows: asyncio.Event,
    ) -> None:
        try:
            while data := await source.read(65_536):
                await flows.wait()
                if not frozen.is_set():
                    sink.write(data)
                    await sink.drain()
        except OSError:
            pass  # Cut: the other side is told by the abort below.
        sink.transport.abort()


def _set() -> asyncio.Event:
    event = asyncio.Event()
    event.set()
    return event
