"""A TCP proxy that can drop or delay data."""

from __future__ import annotations

import asyncio


class Proxy:
    """`async with Proxy(port) as proxy`: forwards to a loopback port.

    `freeze()` drops data silently, `cut()` resets connections.
    """

    def __init__(self, target: int, host: str = "127.0.0.1", port: int = 0) -> None:
        self._host = host
        # The target port of later connections.
        self.target = target
        self._frozen = asyncio.Event()
        self._flows, self._held = _set(), _set()
        self._writers: list[asyncio.StreamWriter] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        # The port on which the proxy listens. If it is 0 before the start, the proxy selects a free port.
        self.port = port
        self.accepted = 0

    async def __aenter__(self) -> Proxy:
        self._server = await asyncio.start_server(self._relay, self._host, self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        await asyncio.sleep(0)  # Let the tasks of just accepted connections start.
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    def freeze(self) -> None:
        """Drop all data on the existing connections. Later connections are forwarded."""
        self._frozen.set()
        self._frozen = asyncio.Event()

    def hold(self) -> None:
        """Hold all data on the existing connections until `release`. Later connections are forwarded."""
        self._held = self._flows
        self._held.clear()
        self._flows = _set()

    def release(self) -> None:
        """Forward the held data."""
        self._held.set()

    def cut(self) -> None:
        """Reset every existing connection."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
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
            pass  # The connection was cut: the abort below notifies the other side.
        sink.transport.abort()


def _set() -> asyncio.Event:
    event = asyncio.Event()
    event.set()
    return event
