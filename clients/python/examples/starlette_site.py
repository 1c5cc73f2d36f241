"""`python -m uvicorn starlette_site:app`: a Starlette site, cached in Larder. Set LARDER_URL for another server."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from larder_cache import CacheClient, CacheError, CredentialProvider

calls: list[int] = []


def client() -> CacheClient:
    credentials = CredentialProvider.from_string(os.environ.get("LARDER_URL", "http://127.0.0.1:8080"))
    return CacheClient(credentials, default_ttl=60)


@asynccontextmanager
async def lifespan(site: Starlette) -> AsyncIterator[None]:
    """Open one client on the site's event loop, and close it when the site shuts down."""
    async with client() as opened:
        site.state.cache = opened.cache("cache")
        yield


async def square(request: Request) -> Response:
    """Return a response cached for 30 s, or computed if the cache fails. Concurrent requests share one computation."""
    number = int(request.path_params["number"])

    async def compute() -> bytes:
        calls.append(number)
        await asyncio.sleep(0.01)
        return JSONResponse({"number": number, "square": number * number}).body

    body = await request.app.state.cache.get_or_set(f"square:{number}", compute, ttl=30)
    return Response(body, media_type="application/json")


async def visits(request: Request) -> Response:
    """Count the visits on the server, across all processes of the site."""
    try:
        count = await request.app.state.cache.increment("visits")
    except CacheError as error:
        return JSONResponse({"error": error.code.value}, status_code=503)
    return JSONResponse({"visits": count})


app = Starlette(routes=[Route("/square/{number:int}", square), Route("/visits", visits)], lifespan=lifespan)
