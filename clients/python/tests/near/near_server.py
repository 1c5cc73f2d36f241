"""The small server with a near cache, scripted by the test."""

from __future__ import annotations

from protobuf_messages import pipeline_pb2 as pipe
from tests.support.fake_server import FakeServer


class NearServer(FakeServer):
    """A fake server that grants near-cache leases and returns a ticket for each key.

    It sends invalidations when the test calls `tell`.
    """

    lease_ms = 3_000
    ttl_left_ms = 60_000
    # If set, near_open and near_renew fail with these errors.
    refuses_open: pipe.CallStatus | None = None
    refuses_renew: pipe.CallStatus | None = None

    def ticket_of(self, key: bytes) -> int:
        return sum(key)

    def tell(self, *keys: bytes) -> None:
        """Invalidate keys."""
        self.push(pipe.BatchResult(invalidated=[self.ticket_of(key) for key in keys]))

    @property
    def near_gets(self) -> int:
        """Return the number of gets that were sent as near gets."""
        return self.received.get("near get", 0)

    def answer(self, call: pipe.Operation) -> pipe.Result:
        kind = call.WhichOneof("call")
        refused = {"near_open": self.refuses_open, "near_renew": self.refuses_renew}.get(str(kind))
        if refused is not None:
            return pipe.Result(id=call.id, status=refused)
        if kind == "near_open":
            return pipe.Result(id=call.id, near_open=pipe.NearOpened(lease_ms=self.lease_ms))
        if kind == "near_renew":
            return pipe.Result(id=call.id, near_renew=pipe.NearRenewed())
        result = super().answer(call)
        if kind == "get" and call.near:
            self.received["near get"] = self.near_gets + 1
            if call.get.key in self.items:
                result.ticket = self.ticket_of(call.get.key) + 1
                result.ttl_left_ms = self.ttl_left_ms
        return result
