"""The operations of conformance/AGENT.md on near caches: `near`, `nearAct` and `nearHits`."""

from __future__ import annotations

import time
from typing import Any

from agent.near import NearRun
from agent.near_hits import near_hits
from agent.near_settings import near_settings
from agent.target import AgentError
from larder_cache import CacheClient


class NearOperations:
    """The near-cache operations of one client."""

    def __init__(self, client: CacheClient, *, has_near_cache: bool) -> None:
        self._client, self._has_near_cache = client, has_near_cache
        self._run: NearRun | None = None

    def figures(self) -> dict[str, int] | None:
        """Return the statistics of the client's near cache, or None if the client has no near cache."""
        if not self._has_near_cache:
            return None
        now = self._client.near_cache
        names = ("hits", "kept", "invalidations", "clears", "poisoned", "evictions", "copies", "bytes")
        return {name: getattr(now, name) for name in names}

    async def run(self, cache: str, q: dict[str, Any]) -> dict[str, Any]:
        """Run the callers of this process and wait until they finish. Returns the response."""
        if self._run is not None:
            raise AgentError("a near-cache run is already active")
        self._run = NearRun(near_settings(q), self._client, cache)
        try:
            return await self._run.run()
        finally:
            self._run = None

    async def act(self, cache: str, q: dict[str, Any]) -> dict[str, Any]:
        """Perform an action in the current run."""
        run, what = self._run, q.get("what")
        if run is None:
            raise AgentError("no near-cache run is active")
        if what == "now":
            return run.now()
        if what == "filled":
            await run.filled.wait()
            return {"result": "success"}
        if what == "go":
            run.go.set()
            return {"result": "success"}
        if what == "lost":
            run.check.is_lost = True
            return {"result": "success"}
        if what == "sweep":
            return await run.sweep()
        if what == "flush":
            return await self._flush(cache)
        raise AgentError(f"'what' must be now, filled, go, lost, sweep or flush, not {what}")

    async def hits(self, cache: str, q: dict[str, Any]) -> dict[str, Any]:
        """Measure hits."""
        return await near_hits(self._client, cache, q)

    async def _flush(self, cache: str) -> dict[str, Any]:
        began = time.monotonic_ns()
        await self._client.flush_cache(cache)
        return {"result": "success", "beganNs": str(began), "endedNs": str(time.monotonic_ns())}
