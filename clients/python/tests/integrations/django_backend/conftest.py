"""Fixtures: one server and one site for all tests of the Django backend."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.larder_server import larder_server
from tests.support.patience import patient_default

__all__ = ["patient_default"]


@pytest.fixture(scope="session")
def cache() -> Iterator[Any]:
    pytest.importorskip("django")
    with larder_server() as port:
        os.environ["LARDER_URL"] = f"http://127.0.0.1:{port}"
        import django

        from examples import django_site

        assert django_site.urlpatterns
        django.setup()
        from django.core.cache import cache

        yield cache


@pytest.fixture(autouse=True)
def empty(cache: Any) -> None:
    cache.clear()
