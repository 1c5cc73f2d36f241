"""Sites for web servers. Each response has its process's id in the header X-Pid."""

# Neither Django nor Celery ships types.
# pyright: basic, reportMissingImports=false

from __future__ import annotations

import logging
import os
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, cast

from larder_cache import CacheClient, CacheError, CredentialProvider

_PID = str(os.getpid())


def _wsgi(site: Any) -> Any:
    def application(environ: Any, start_response: Callable[..., Any]) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            # Read the process id here, because the process that responds may be a fork of the process that imported
            # this module.
            return start_response(status, [*headers, ("X-Pid", str(os.getpid()))], *more)

        return site(environ, start)

    return application


def django_wsgi() -> Any:
    """Return examples/django_site.py."""
    from django.core.wsgi import get_wsgi_application

    from examples import django_site  # noqa: F401

    # Django logs the exceptions of views, and the test reads this log.
    logging.basicConfig()
    return _wsgi(get_wsgi_application())


def flask_wsgi() -> Any:
    """Return examples/flask_site.py."""
    from examples.flask_site import app

    return _wsgi(app.wsgi_app)


def django_asgi() -> Any:
    """Return examples/django_site.py; the test requests its asynchronous view."""
    from django.core.asgi import get_asgi_application

    from examples import django_site  # noqa: F401

    site = get_asgi_application()

    async def application(scope: Any, receive: Any, send: Callable[[Any], Awaitable[None]]) -> None:
        async def send_with_pid(message: Any) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], (b"x-pid", _PID.encode())]}
            await send(message)

        if scope["type"] == "http":
            await site(scope, receive, send_with_pid)

    return application


def client_asgi() -> Any:
    """Return a site with one client per process, on its event loop."""
    clients: list[CacheClient] = []

    async def lifespan(receive: Any, send: Any) -> None:
        await receive()
        credentials = CredentialProvider.from_string(os.environ["LARDER_URL"])
        async with CacheClient(credentials, default_ttl=60) as client:
            clients.append(client)
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})

    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await lifespan(receive, send)
            return
        status = 200
        try:
            await clients[0].cache("cache").increment("visits")
        except CacheError:
            status = 503
        await send({"type": "http.response.start", "status": status, "headers": [(b"x-pid", _PID.encode())]})
        await send({"type": "http.response.body", "body": b""})

    return application


def celery_app() -> Any:
    """Return a Celery app that uses a Redis server as its broker."""
    from celery import Celery

    backend = "larder_cache.celery:LarderBackend+" + os.environ["LARDER_URL"]
    app = cast(Any, Celery("site", broker=os.environ["BROKER_URL"], backend=backend))
    app.conf.update(
        result_backend_always_retry=True,
        result_backend_max_sleep_between_retries_ms=200,
        worker_prefetch_multiplier=1,
    )

    @app.task(name="run")
    def run(mark: str, other: str) -> int:
        """Create a mark file and wait for the mark file of a task in another process. Returns this process's id."""
        with open(mark, "w"):
            pass
        ends = time.monotonic() + 30
        while not os.path.exists(other) and time.monotonic() < ends:
            time.sleep(0.01)
        return os.getpid()

    return app
