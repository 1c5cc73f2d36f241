"""Virtual time, fake gateways, and a `CallRunner` with fake gateways."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable
from typing import Any

from larder_cache import Configurations, CredentialProvider, Transport
from larder_cache import responses as r
from larder_cache._internal.calls.call_runner import CallRunner
from larder_cache._internal.configuration.token_source import CallMetadata, TokenSource
from larder_cache._internal.gateways.gateway import Gateway
from larder_cache._internal.near.near_reads import NearReads
from larder_cache._internal.operations._generated import operations
from larder_cache._internal.operations.call import Call
from larder_cache._internal.transport.pipeline_transport import PipelineTransport
from larder_cache.configuration import Configuration
from larder_cache.errors import Failure


class VirtualTime(selectors.DefaultSelector):
    """An event loop's selector that does not wait. Instead, it advances the loop's clock."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        assert timeout is not None, "nothing will ever happen"
        self.now += max(0.0, timeout)
        return super().select(0)


class FakePipeline(PipelineTransport):
    """Holds each call in flight, or responds immediately."""

    def __init__(self, configuration: Configuration, leave: Callable[[int], None], gateway: FakeGateway) -> None:
        super().__init__(gateway.credentials, configuration, CallMetadata("", {}), leave, asyncio.get_event_loop())
        self._gateway = gateway
        self._give_back = leave
        self.held: list[Call] = []
        self.refused_by: Failure | None = None

    @property
    def refusal(self) -> Failure | None:
        return self.refused_by

    def start(self, call: Call) -> None:
        assert self._gateway.is_up, "a call is sent to a gateway that is up"
        self._gateway.sent += 1
        call.attempts += 1
        call.sent = call.started
        self.held.append(call)
        if self._gateway.answers:
            self.answer_all()

    def forget(self, call: Call) -> bool:
        if call in self.held:
            self.held.remove(call)
        return False

    def outstanding(self) -> list[Call]:
        return list(self.held)

    def answer_all(self) -> None:
        held, self.held = self.held, []
        for call in held:
            # Release the permit after a first attempt. After a retry, the code that retries the call releases it.
            call.future.set_result(r.Miss())
            if call.attempts == 1:
                call.permit = False
                self._give_back(1)

    def fail_all(self, failure: Failure) -> None:
        held, self.held = self.held, []
        for call in held:
            call.future.set_result(failure)


class FakeGateway(Gateway):
    """A gateway with a state that the test sets."""

    def __init__(
        self,
        credentials: CredentialProvider,
        address: str | None,
        configuration: Configuration,
        leave: Callable[[int], None],
        loop: asyncio.AbstractEventLoop,
        tokens: TokenSource | None = None,
        near: NearReads | None = None,
    ) -> None:
        super().__init__(credentials, address, configuration, leave, loop, tokens, near)
        self.pipeline: FakePipeline = FakePipeline(configuration, leave, self)
        self.is_up = False
        self.answers = True
        self.pretended = 0
        self.sent = 0
        self.tries = 0
        self.why: str | None = None
        self.refuses = False

    def ready(self, pipelined: bool) -> bool:
        return self.is_up

    def failing(self, pipelined: bool) -> str | None:
        return self.why

    @property
    def in_flight(self) -> int:
        return len(self.pipeline.held) + self.pretended

    async def connect(self, pipelined: bool, timeout_s: float) -> bool:
        """Simulate an attempt to connect. The attempt takes its whole timeout unless the gateway becomes available."""
        self.tries += 1
        until = asyncio.get_running_loop().time() + timeout_s
        while not self.is_up and asyncio.get_running_loop().time() < until:
            await asyncio.sleep(0.001)
        return self.is_up

    def refuse(self, stream: Failure | None = None) -> None:
        """Make attempts to connect fail from now on.

        The gateway is unreachable or, with `stream`, rejects the stream.
        """
        self.why = "the test refuses"
        self.pipeline.refused_by = stream

    def become_available(self) -> None:
        self.is_up = True
        self.why = self.pipeline.refused_by = None


class Fleet:
    """A CallRunner with fake gateways."""

    def __init__(self, up: list[bool], timeout_s: float) -> None:
        text = ",".join(f"http://10.0.0.{number}:7000" for number in range(len(up)))
        settings = Configurations.Laptop.v1().with_settings(transport=Transport.PIPELINE, request_timeout_s=timeout_s)
        loop = asyncio.get_running_loop()

        async def elsewhere(*_: Any) -> Any:
            raise AssertionError("another loop")

        self.runner = CallRunner(CredentialProvider.from_string(text), settings, loop, elsewhere=elsewhere)
        assert self.runner.gateways is not None
        self.gateways: list[FakeGateway] = []
        for gateway, is_up in zip(self.runner.gateways.gateways, up, strict=True):
            assert isinstance(gateway, FakeGateway)
            gateway.is_up = is_up
            self.gateways.append(gateway)

    @property
    def sent(self) -> list[int]:
        return [gateway.sent for gateway in self.gateways]

    def get(self) -> asyncio.Task[Any]:
        return asyncio.create_task(self.runner.run(operations.GET, "cache", b"\x0a\x01k"))

    async def begun(self, answers: bool = False) -> asyncio.Task[Any]:
        """Send a call. It stays in flight unless gateways respond."""
        for gateway in self.gateways:
            gateway.answers = answers
        call = self.get()
        await asyncio.sleep(0)
        for gateway in self.gateways:
            gateway.answers = True
        return call

    async def gets(self, count: int) -> None:
        for _ in range(count):
            assert isinstance(await self.get(), r.Miss)
