"""Docstrings of generated Python methods begin with a command."""

from __future__ import annotations

import pytest

import python


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Gets an item's value.", "Get an item's value."),
        (
            "Removes an element and returns it. Fails if it is busy.",
            "Remove an element and return it. Fails if it is busy.",
        ),
        ("Keeps a slice of a list and removes the rest.", "Keep a slice of a list and remove the rest."),
        ("Stores the union, and replaces an existing set.", "Store the union, and replace an existing set."),
        (
            "Removes an item. The client keeps and returns copies.",
            "Remove an item. The client keeps and returns copies.",
        ),
        ("The key and returns of a call.", "The key and returns of a call."),
    ],
)
def test_first_sentence_of_a_docstring_is_a_command(text: str, said: str) -> None:
    assert python.imperative(text) == said
