"""`CacheClient` for coroutines of any event loop: each call hops to the background loop, whose connections stay."""

from __future__ import annotations

import asyncio
from typing import Any

from larder_cache import operations as op
from larder_cache.background_loop import submit
from larder_cache.client import CacheClient


class HoppingClient(CacheClient):
    """For programs that run many short event loops (a web framework's, one a request): they share one connection."""

    def __init__(self, remote: CacheClient) -> None:
        """`remote`: the client on the background loop; its settings are ours."""
        super().__init__(default_ttl=1)
        self._remote = remote
        self._run = self._hop

    async def _hop(
        self, operation: op.Operation[Any], cache: str, payload: bytes, timeout_s: float | None = None
    ) -> Any:
        return await asyncio.wrap_future(submit(self._remote.run(operation, cache, payload, timeout_s)))

    async def run_each(
        self, operation: op.Operation[Any], cache: str, payloads: list[bytes], timeout_s: float | None = None
    ) -> list[Any]:
        return await asyncio.wrap_future(submit(self._remote.run_each(operation, cache, payloads, timeout_s)))

    def after_fork(self) -> None:
        """There is nothing here: the remote client begins anew."""
