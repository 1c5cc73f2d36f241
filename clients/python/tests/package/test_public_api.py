"""Changes of the public API must appear in a diff."""

from __future__ import annotations

from tests.package import public_api


def test_public_names_and_signatures_are_those_of_the_file() -> None:
    how = (
        "the public API changed: run ../../tools/python -m tests.package.public_api in clients/python, review the diff"
    )
    assert public_api.text().splitlines() == public_api.FILE.read_text().splitlines(), how
