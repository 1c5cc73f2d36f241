"""The fake passes the same test vectors as the real server. Known differences are listed."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from agent.larder_target import LarderTarget
from larder_cache.fake import FakeServer
from tests.testing.vector import Filled, Vector, difference, sized, vectors

# The options of the server, with the names of the corresponding settings of the fake.
_OPTIONS = {"--max-ttl": "max_ttl", "--max-topics": "max_topics", "--max-topic-subscribers": "max_topic_subscribers"}
_UNITS = {"h": 3_600, "d": 86_400}
GUIDE = Path(__file__).resolve().parents[4] / "docs" / "guides" / "python" / "testing.md"


def not_applicable(vector: Vector) -> str | None:
    """Return the reason why a case does not apply, from the guide's table; None if the case applies."""
    if vector.file == "configuration":
        return "needs no server"
    if "token" in vector.open or vector.file == "auth":
        return "uses tokens"
    if "headers" in vector.open:
        return "injects faults"
    return "waits for a permit" if "maxInFlight" in vector.open else None


APPLY = [vector for vector in vectors() if not_applicable(vector) is None]


def fake_of(vector: Vector) -> FakeServer:
    options: dict[str, Any] = {}
    for name, value in zip(vector.server[::2], vector.server[1::2], strict=True):
        is_span = value[-1] in _UNITS
        options[_OPTIONS[name]] = timedelta(seconds=int(value[:-1]) * _UNITS[value[-1]]) if is_span else int(value)
    return FakeServer(**options)


async def ask(fake: FakeServer, target: LarderTarget, request: dict[str, Any]) -> dict[str, Any]:
    if request["op"] == "together":
        answers = await asyncio.gather(*(ask(fake, target, request["call"]) for _ in range(request["times"])))
        return {"results": Counter(each.get("error", {}).get("code", each["result"]) for each in answers)}
    asked = asyncio.ensure_future(target.operate(sized(request)))
    while request["op"] == "next" and not asked.done():
        # Advance the fake's time while the call waits.
        await asyncio.sleep(0.001)
        fake.advance(1)
    return await asked


async def broken(vector: Vector, fake: FakeServer) -> str | None:
    """Return the failure as a sentence; None if the case passed."""
    target = LarderTarget({"endpoint": "127.0.0.1:1", **vector.open}, fake.calls)
    filled = Filled("fake")
    try:
        for step in [*vector.fields["given"], vector.fields["when"] | {"then": vector.fields["then"]}]:
            request = filled.fill(step)
            then, save = request.pop("then", None), request.pop("save", None)
            if request["op"] == "wait":
                fake.advance(request["ms"] / 1_000)
                continue
            answer = await ask(fake, target, request)
            if save is not None:
                filled.keep(save, answer)
            if then is None and answer.get("result") == "error":
                return f"{request['op']} answered {answer['error']}"
            if then is not None and (found := difference(then, answer)) is not None:
                return f"{request['op']}: {found}"
        return None
    finally:
        await target.aclose()


def test_guide_lists_correct_counts_of_excluded_vectors() -> None:
    left_out = Counter((why, vector.rule.split("-")[0]) for vector in vectors() if (why := not_applicable(vector)))
    rows = re.findall(r"^\| ([a-z ]+) \| ([A-Z]+) \| (\d+) \|", GUIDE.read_text(), re.MULTILINE)
    assert {(why, rules): int(count) for why, rules, count in rows} == left_out
    assert f"all {len(APPLY)} others" in GUIDE.read_text()


@pytest.mark.parametrize("vector", APPLY, ids=lambda vector: f"{vector.rule} {vector.name}")
async def test_fake_server_matches_shared_test_vectors(vector: Vector) -> None:
    assert await broken(vector, fake_of(vector)) is None, vector.rule
