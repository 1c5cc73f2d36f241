"""The gateways of a client with a near cache. Cacheable gets are sent to the gateway with the near stream (NEAR-20)."""

from __future__ import annotations

from typing import Any

from larder_cache._internal.gateways.gateway import Gateway
from larder_cache._internal.gateways.gateway_set import GatewaySet
from larder_cache._internal.near.near_reads import NearReads
from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations._generated.operations import GET
from larder_cache._internal.operations.call import Call


def gateway_set(near: NearReads | None, *arguments: Any, **named: Any) -> GatewaySet:
    """Return a NearGatewaySet if the client has a near cache, otherwise a GatewaySet."""
    return GatewaySet(*arguments, **named) if near is None else NearGatewaySet(near, *arguments, **named)


class NearGatewaySet(GatewaySet):
    """A GatewaySet that sends the first attempt of a cacheable get to the gateway with the near stream."""

    def __init__(self, near: NearReads, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, near=near, **named)
        self._near = near

    def _choose(self, call: Call) -> Gateway | None:
        if call.operation is GET and not call.attempts and self._near.has_stream:
            gateway = self._near_gateway()
            if gateway is not None and self._near.settings.covers(call.cache, codec.read_key(call.payload)):
                return gateway
        return super()._choose(call)

    def _near_gateway(self) -> Gateway | None:
        """Return the gateway with the near stream if it accepts calls.

        Also starts to reconnect gateways that are not connected.
        """
        now, found = self._loop.time(), None
        for gateway in self.gateways:
            if not gateway.ready(True):
                self._connect(gateway)
            elif gateway.pipeline.is_near and gateway.health.aside_until <= now:
                found = gateway
        return found
