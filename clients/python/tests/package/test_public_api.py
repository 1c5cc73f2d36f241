"""Changes of the public API must appear in a diff."""

from __future__ import annotations

from tests.package import public_api


def test_public_api_matches_the_recorded_file() -> None:
    how = (
        "the public API changed: run ../../tools/python -m tests.package.public_api in clients/python, review the diff"
    )
    assert public_api.text().splitlines() == public_api.FILE.read_text().splitlines(), how
