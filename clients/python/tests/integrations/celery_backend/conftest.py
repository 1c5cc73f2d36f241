"""Fixtures: one server for all tests of the Celery backend, and apps that use it, each with its own broker queue."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import pytest

from tests.support.larder_server import larder_server
from tests.support.patience import patient_default

__all__ = ["patient_default"]

Apps = Callable[..., Any]
BACKEND = "larder_cache.celery:LarderBackend"
_numbers = count()


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    pytest.importorskip("celery")
    with larder_server() as port:
        yield f"127.0.0.1:{port}"


@pytest.fixture(scope="package", autouse=True)
def root_logger() -> Iterator[None]:
    """Undo the changes that the start of a worker makes to the root logger."""
    root = logging.getLogger()
    level, handlers = root.level, root.handlers[:]
    yield
    root.setLevel(level)
    root.handlers[:] = handlers


@contextmanager
def _made() -> Iterator[Apps]:
    celery = pytest.importorskip("celery")
    made: list[Any] = []

    def app(url: str | None, **settings: Any) -> Any:
        name = f"larder-{next(_numbers)}"
        one = celery.Celery(name, broker="memory://", backend=BACKEND if url is None else f"{BACKEND}+{url}")
        one.conf.update(task_default_queue=name, worker_hijack_root_logger=False, **settings)
        made.append(one)
        return one

    yield app
    for each in made:
        each.close()


@pytest.fixture
def apps() -> Iterator[Apps]:
    """Return a function that creates apps with results at a URL."""
    with _made() as apps:
        yield apps


@pytest.fixture(scope="module")
def lasting_apps() -> Iterator[Apps]:
    """Like `apps`, but shared by the tests of a module, because stopping a worker takes seconds."""
    with _made() as apps:
        yield apps
