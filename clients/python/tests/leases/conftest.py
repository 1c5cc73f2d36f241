"""Fixtures: one server for all tests of leases."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.larder_server import larder_server


@pytest.fixture(scope="package")
def real_port() -> Iterator[int]:
    with larder_server() as port:
        yield port
