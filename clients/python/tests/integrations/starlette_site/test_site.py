"""The example site, with the real server and with a fake."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from larder_cache import CacheClient, ErrorCode
from larder_cache.fake import FakeServer
from tests.conftest import PATIENCE_S
from tests.support.larder_server import larder_server

# Required by Starlette's test client.
httpx: Any = pytest.importorskip("httpx")
pytest.importorskip("starlette")

from starlette.requests import Request  # noqa: E402
from starlette.testclient import TestClient  # noqa: E402

from examples import starlette_site as site  # noqa: E402


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with larder_server() as port:
        yield f"http://127.0.0.1:{port}"


def test_starlette_example_runs_unchanged(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LARDER_URL", url)
    site.calls.clear()
    with TestClient(site.app) as browser:
        answers = [browser.get("/square/12") for _ in range(3)]
        assert [each.json() for each in answers] == [{"number": 12, "square": 144}] * 3
        assert [browser.get("/visits").json()["visits"] for _ in range(2)] == [1, 2]
        assert browser.get("/square/twelve").status_code == 404
    # Simulates another process of the site, with a separate client and event loop.
    with TestClient(site.app) as browser:
        assert browser.get("/square/12").json()["square"] == 144
        assert browser.get("/visits").json() == {"visits": 3}
    assert site.calls == [12]


def test_starlette_example_runs_under_the_installed_uvicorn(url: str) -> None:
    # Start the site as a user does, because Starlette's test client supports more of the lifespan protocol than
    # Debian's uvicorn.
    pytest.importorskip("uvicorn")
    folder = Path(site.__file__).parent
    command = [sys.executable, "-m", "uvicorn", "starlette_site:app", "--port", "0"]
    environ = {**os.environ, "LARDER_URL": url, "PYTHONPATH": str(folder.parent)}
    with subprocess.Popen(command, cwd=folder, env=environ, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            said = [*_until(process.stderr, "running on ")]
            address = re.search(r"running on (http://\S+)", said[-1])
            assert address is not None, "".join(said)
            assert httpx.get(f"{address[1]}/square/11", timeout=PATIENCE_S).json() == {"number": 11, "square": 121}
        finally:
            process.terminate()


def _until(lines: Iterable[str], text: str) -> Iterator[str]:
    """Yield the lines up to the first line that contains the text."""
    for line in lines:
        yield line
        if text in line:
            return


async def test_concurrent_requests_compute_the_value_once(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeServer()
    monkeypatch.setattr(site, "client", fake.client)
    site.calls.clear()
    async with site.lifespan(site.app):
        async with asyncio.timeout(PATIENCE_S), httpx.AsyncClient(app=site.app, base_url="http://site") as browser:
            answers = await asyncio.gather(*(browser.get("/square/7") for _ in range(50)))
            assert {each.text for each in answers} == {'{"number":7,"square":49}'} and site.calls == [7]
            fake.advance(30)
            await browser.get("/square/7")
            assert site.calls == [7, 7]

            fake.fail(ErrorCode.UNAVAILABLE, times=None)
            assert (await browser.get("/square/8")).json() == {"number": 8, "square": 64}
            down = await browser.get("/visits")
            assert (down.status_code, down.json()) == (503, {"error": "Unavailable"})


def test_fastapi_site_can_use_the_starlette_lifespan(monkeypatch: pytest.MonkeyPatch) -> None:
    fastapi: Any = pytest.importorskip("fastapi")
    made: list[CacheClient] = []
    fake = FakeServer()

    def client() -> CacheClient:
        made.append(fake.client())
        return made[-1]

    monkeypatch.setattr(site, "client", client)
    app = fastapi.FastAPI()
    # Set the lifespan here, because the argument `lifespan=` requires FastAPI 0.93.
    app.router.lifespan_context = site.lifespan

    async def read(request: Request) -> dict[str, int]:
        return {"visits": await request.app.state.cache.increment("visits")}

    app.get("/visits")(read)
    with TestClient(app) as browser:
        assert browser.get("/visits").json() == {"visits": 1}
    assert len(made) == 1 and made[0].held() == {"flights": 0, "subscriptions": 0}
