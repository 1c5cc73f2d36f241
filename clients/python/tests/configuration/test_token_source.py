"""Tokens of a provider: when the client requests a token, and which tokens are invalid (AUTH-30 to AUTH-33)."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from larder_cache import TokenProvider
from larder_cache._internal.configuration.token_source import NoToken, TokenSource
from tests.conftest import until


class _Made:
    """A token source with a clock that the test moves, and a count of requests to the provider."""

    def __init__(self, function: Callable[[], Any]) -> None:
        self.now = 100.0
        self.asked = 0

        async def counted() -> Any:
            self.asked += 1
            answer = function()
            return await answer if inspect.isawaitable(answer) else answer

        self.tokens = TokenSource(TokenProvider(counted), lambda: self.now)


async def test_auth_30_provider_token_is_reused_by_later_callers() -> None:
    made = _Made(lambda: "one")
    assert await made.tokens.newer_than(0) is None
    assert await made.tokens.newer_than(0) is None
    assert (made.tokens.token, made.tokens.version, made.asked) == ("one", 1, 1)


async def test_auth_31_concurrent_rejected_calls_request_one_new_token() -> None:
    names = iter(f"token{n}" for n in range(10))
    made = _Made(lambda: next(names))
    await made.tokens.newer_than(0)
    assert set(await asyncio.gather(*(made.tokens.newer_than(1) for _ in range(1_000)))) == {None}
    assert await made.tokens.newer_than(1) is None
    assert made.asked == 2


async def test_auth_31_provider_is_called_at_most_once_per_second() -> None:
    made = _Made(lambda: "same")
    for _ in range(50):
        await made.tokens.newer_than(made.tokens.version)
        made.now += 0.1
    # The first request gets the first token. The second request may follow immediately. Later requests are at least
    # one second apart, so about four of them fit into five seconds. Sums of tenths are inexact.
    assert 5 <= made.asked <= 6


def _raising(error: BaseException) -> Callable[[], Any]:
    def function() -> Any:
        raise error

    return function


async def _coroutine(error: Exception) -> str:
    raise error


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (_raising(SyntaxError("sesame")), "raised SyntaxError"),
        (lambda: _coroutine(KeyError("sesame")), "raised KeyError"),
        (lambda: _coroutine(TimeoutError("sesame")), "raised TimeoutError"),
        (lambda: None, "must return str, not NoneType"),
        (lambda: b"sesame", "must return str, not bytes"),
        (lambda: 7, "must return str, not int"),
        (lambda: "", "returned an empty token"),
        (lambda: "sesame\n", "not printable ASCII"),
        (lambda: "sesame\r\ncache: other", "not printable ASCII"),
        (lambda: "sesäme", "not printable ASCII"),
        (lambda: "s" * 16_385, "at most 16,384"),
    ],
)
async def test_auth_33_error_for_an_invalid_token_omits_the_token(function: Callable[[], Any], message: str) -> None:
    made = _Made(function)
    missing = await made.tokens.newer_than(0)
    assert missing is not None and message in missing.message and "sesame" not in repr(missing)
    await made.tokens.newer_than(0)
    assert made.asked == 1
    made.now += 1.0
    await made.tokens.newer_than(0)
    assert made.asked == 2


async def test_auth_33_failed_provider_keeps_the_previous_token() -> None:
    answers: list[Any] = ["one", None]
    made = _Made(lambda: answers.pop(0))
    await made.tokens.newer_than(0)
    missing = await made.tokens.newer_than(1)
    assert missing is not None and missing.message
    assert (made.tokens.token, made.tokens.version) == ("one", 1)


async def test_auth_32_provider_that_never_returns_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("larder_cache._internal.configuration.token_source._PATIENCE_S", 0.01)
    never = asyncio.get_running_loop().create_future()
    made = _Made(lambda: never)
    missing = await made.tokens.newer_than(0)
    assert missing is not None and "did not return within 0.01 s" in missing.message
    assert never.cancelled()


async def test_auth_32_blocking_provider_does_not_block_the_loop_or_close() -> None:
    go_on = threading.Event()

    def block() -> str:
        go_on.wait()
        return "late"

    tokens = TokenSource(TokenProvider(block))
    waiting = asyncio.ensure_future(tokens.newer_than(0))
    await asyncio.sleep(0)
    tokens.close()
    assert await waiting == NoToken("the client was closed")
    go_on.set()
    await until(lambda: not any(thread.name == "larder: token provider" for thread in threading.enumerate()))
    await asyncio.sleep(0)
    assert tokens.token == ""
    assert await tokens.newer_than(0) == NoToken("the client is closed")


async def test_auth_31_cancelled_waiter_does_not_cancel_the_token_request() -> None:
    answer = asyncio.get_running_loop().create_future()
    made = _Made(lambda: answer)
    first, second = (asyncio.ensure_future(made.tokens.newer_than(0)) for _ in range(2))
    await until(lambda: made.asked == 1)
    first.cancel()
    await asyncio.sleep(0)
    answer.set_result("one")
    assert await second is None and made.tokens.token == "one"


def test_auth_31_token_request_is_repeated_if_its_loop_ended() -> None:
    answers: list[Any] = []

    async def function() -> str:
        if not answers:
            answers.append("asked")
            await asyncio.Event().wait()
        return "one"

    tokens = TokenSource(TokenProvider(function))

    async def give_up() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await tokens.newer_than(0)

    # Run the coroutines in separate threads, so that pytest's event loop is not affected.
    with ThreadPoolExecutor(1) as threads:
        threads.submit(asyncio.run, give_up()).result()
    tokens._not_before = 0.0  # pyright: ignore[reportPrivateUsage]
    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(asyncio.run, tokens.newer_than(0)).result() is None


async def test_auth_30_token_file_is_reread_and_stripped_each_time(tmp_path: Path) -> None:
    path = tmp_path / "token"
    missing = await TokenSource(TokenProvider.from_file(path)).newer_than(0)
    assert missing is not None
    assert missing.message == f"the token file {str(path)!r} cannot be read: No such file or directory"
    path.write_text("one\n")
    tokens = TokenSource(TokenProvider.from_file(path))
    await tokens.newer_than(0)
    assert tokens.token == "one"
    path.write_text("  two\r\n")
    assert await tokens.newer_than(1) is None and tokens.token == "two"


def test_token_provider_rejects_values_that_are_not_text_or_callable() -> None:
    with pytest.raises(TypeError, match="must be str or a function that returns the token"):
        TokenProvider(7)  # type: ignore[arg-type]
