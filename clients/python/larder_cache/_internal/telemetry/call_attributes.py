"""The attributes of a call according to OpenTelemetry's semantic conventions for databases.

They contain no key and no value.
"""

from __future__ import annotations

from typing import Any

from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations._generated.operations import GET_BATCH, KEYS_EXIST, SET_BATCH
from larder_cache._internal.operations.call import Call
from larder_cache.responses import Error

_BATCHES = (GET_BATCH, SET_BATCH, KEYS_EXIST)
# The maximum number of cached entries. The cache is limited, because the application chooses the names of caches.
_MOST_NAMES = 1_000


class CallAttributes:
    """Creates the attributes of the calls of one client. The client's endpoint is `host:port`."""

    def __init__(self, endpoint: str) -> None:
        host, _, port = endpoint.rpartition(":")
        self._server = {"server.address": host.strip("[]"), "server.port": int(port)}
        self._known: dict[tuple[str, str], dict[str, Any]] = {}

    def of(self, call: Call) -> dict[str, Any]:
        """Return the attributes that are known when a call is created. The caller must not modify the result."""
        place = call.operation.name, call.cache
        found = self._known.get(place)
        if found is None:
            if len(self._known) >= _MOST_NAMES:
                self._known.clear()
            namespace = {"db.namespace": call.cache} if call.cache else {}
            operation = {"db.system.name": "larder", "db.operation.name": call.operation.name}
            found = self._known[place] = operation | namespace | self._server
        return found


def batch_size(call: Call) -> dict[str, Any]:
    """Return the attribute with the number of keys or items of a batch. Empty for other calls and for a single item."""
    if call.operation not in _BATCHES:
        return {}
    size = len(codec.read_fields(call.payload, 0, len(call.payload)))
    return {"db.operation.batch.size": size} if size > 1 else {}


def at_end(sends: int, response: Any) -> dict[str, Any]:
    """Return the attributes that are known when a call has ended.

    `sends` is the number of attempts. `response` is None if the caller was cancelled.
    """
    attributes: dict[str, Any] = {"cache.attempts": sends}
    if response is None:
        attributes["error.type"] = "Cancelled"
    elif isinstance(response, Error):
        attributes["error.type"] = response.code.value
    return attributes
