"""The calls of a load with a lease."""

from __future__ import annotations

from dataclasses import dataclass

from larder_cache import responses as r
from larder_cache._internal.client.calls import Calls
from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations._generated import operations as op
from larder_cache._internal.operations.lease_answers import Elsewhere, Lease, Stale


@dataclass(frozen=True, slots=True)
class LeaseCalls:
    """The calls on one key. The caller must have validated all arguments."""

    calls: Calls
    cache: str
    key: bytes
    timeout_s: float | None

    async def get_or_lease(self, lease_ms: int) -> r.Hit | Lease | Stale | Elsewhere | r.Error:
        request = codec.encode_key(self.key) + codec.number_field(2, lease_ms)
        return await self.calls.run(op.GET_OR_LEASE, self.cache, request, self.timeout_s)

    async def store(
        self, value: bytes, ttl_ms: int, stale_ms: int, token: bytes, extras: bytes
    ) -> r.Stored | r.NotStored | r.Error:
        """Store a value with the token of a lease. With an empty token store it unconditionally.

        `extras` contains the encoded fields with the tags and the validator.
        """
        item = codec.encode_set(self.key, value, codec.number_field(3, ttl_ms))
        rest = codec.number_field(4, stale_ms) + codec.bytes_field(5, token) + extras
        return await self.calls.run(op.SET_WITH_LEASE, self.cache, item + rest, self.timeout_s)

    async def set(self, value: bytes, ttl_ms: int) -> r.Success | r.Error:
        """Store a value with a plain set."""
        request = codec.encode_set(self.key, value, codec.number_field(3, ttl_ms))
        return await self.calls.run(op.SET, self.cache, request, self.timeout_s)

    async def release(self, token: bytes) -> None:
        """Release the lease. Failures are ignored, because the lease also expires by itself."""
        request = codec.encode_key(self.key) + codec.bytes_field(2, token)
        await self.calls.run(op.RELEASE_LEASE, self.cache, request, self.timeout_s)
