"""Metadata that an application sends with each call."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

_NAME = re.compile(r"[0-9a-z_.-]+")
# Names that only the client may set (CONFIG-2).
_RESERVED = re.compile(
    r"grpc-.*|.*-bin|te|host|cache|content-type|connection|upgrade|keep-alive|http2-settings|transfer-encoding"
    r"|proxy-connection|authorization|agent|runtime-version|user-agent"
)


class Headers(Mapping[str, str]):
    """Immutable headers. Their names and values are validated once, in the constructor.

    Names consist of lower-case letters, digits, "-", "_" and ".". Values consist of printable ASCII.
    """

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, str]) -> None:
        """Copy and validate `values`.

        No error message contains a value, because a value may be a secret.

        Raises:
            TypeError: A name or value is not a string.
            ValueError: A name or value is invalid.
        """
        if not isinstance(cast(Any, values), Mapping):
            raise TypeError(f"headers must be a mapping of str to str, not {type(values).__name__}")
        self._values = dict(values)
        for name, value in self._values.items():
            if not isinstance(cast(Any, name), str) or not isinstance(cast(Any, value), str):
                raise TypeError("headers: names and values must be str")
            if not _NAME.fullmatch(name) or _RESERVED.fullmatch(name):
                raise ValueError(
                    f"headers: the name {name!r:.80} is reserved or has invalid characters; "
                    "allowed: a-z, 0-9, '-', '_' and '.'"
                )
            if not value.isascii() or not (value.isprintable() or not value):
                raise ValueError(f"headers: the value of {name!r:.80} is not printable ASCII")

    def __getitem__(self, name: str) -> str:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __repr__(self) -> str:
        return f"Headers({', '.join(self._values)})"
