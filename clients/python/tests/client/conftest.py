"""A fixture with the real server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.larder_server import larder_server


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with larder_server() as running:
        yield running
