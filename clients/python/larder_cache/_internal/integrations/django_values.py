"""Values of Django's cache as bytes: pickled behind a signature, or JSON."""

from __future__ import annotations

import functools
import hashlib
import hmac
import pickle
from collections.abc import Iterator
from typing import Any, Protocol, Union

from django.conf import settings
from django.core.signing import BadSignature

from larder_cache._internal.codecs.limits import dump_json, parse_json

# HMAC-SHA256, whole.
_MAC_BYTES = 32


class ForeignValue(BadSignature, ValueError):
    """A value that this site did not write, or wrote under another SECRET_KEY. Nothing of it was run."""


class Values(Protocol):
    """How values travel. `key`: the whole key that the value is found by."""

    def dumps(self, key: str, value: Any) -> bytes:
        """Return a value's bytes. An integer's are its decimal text, so that the server can count."""
        ...

    def loads(self, key: str, data: bytes) -> Any:
        """Return the value. Raises ForeignValue, or ValueError."""


class SignedPickle:
    """`p`, a signature, and the pickle; an integer as text. What Django's own backends take, this takes.

    The signature is of the key and the pickle, with a key drawn from SECRET_KEY: whoever can write to the server but
    does not know it can neither have a pickle read nor put one value in another's place. Values signed with
    SECRET_KEY_FALLBACKS are read too.
    """

    def dumps(self, key: str, value: Any) -> bytes:
        if type(value) is int and -(2**63) <= value < 2**63:
            return b"%d" % value
        pickled = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        return b"p" + _sign(next(_secrets()), key, pickled) + pickled

    def loads(self, key: str, data: bytes) -> Any:
        if data[:1] != b"p":
            return _integer(key, data)
        signature, pickled = data[1 : 1 + _MAC_BYTES], data[1 + _MAC_BYTES :]
        if not any(hmac.compare_digest(signature, _sign(secret, key, pickled)) for secret in _secrets()):
            raise ForeignValue(f"the value of {key!r} was not written with this site's SECRET_KEY")
        return pickle.loads(pickled)


class JsonValues:
    """An integer as text; else a letter: `s` text, `b` bytes, `j` JSON (tuples come back as lists).

    Raises TypeError for what JSON cannot say, and for more than 1,000,000 elements or 512 nested levels (CODEC-10). A
    stored value with more raises ValueError before anything of it is parsed.
    """

    def dumps(self, key: str, value: Any) -> bytes:
        if type(value) is int and -(2**63) <= value < 2**63:
            return b"%d" % value
        if isinstance(value, str):
            return b"s" + value.encode()
        if isinstance(value, bytes):
            return b"b" + value
        return b"j" + dump_json(value, separators=(",", ":"))

    def loads(self, key: str, data: bytes) -> Any:
        kind, rest = data[:1], data[1:]
        if kind == b"s":
            return rest.decode()
        if kind == b"b":
            return rest
        return parse_json(rest) if kind == b"j" else _integer(key, data)


class OwnSerializer:
    """A class of the user's own with `dumps(value)` and `loads(data)`."""

    def __init__(self, serializer: Any) -> None:
        self._serializer = serializer

    def dumps(self, key: str, value: Any) -> bytes:
        return self._serializer.dumps(value)

    def loads(self, key: str, data: bytes) -> Any:
        return self._serializer.loads(data)


def _integer(key: str, data: bytes) -> int:
    if data.removeprefix(b"-").isdigit() and len(data) <= 20:
        return int(data)
    raise ForeignValue(f"the value of {key!r} is of a foreign format")


def _secrets() -> Iterator[bytes]:
    """The keys to sign with: the first for writing, each for reading."""
    for secret in (settings.SECRET_KEY, *getattr(settings, "SECRET_KEY_FALLBACKS", ())):
        yield _drawn_from(secret)


@functools.lru_cache(maxsize=16)
def _drawn_from(secret: Union[str, bytes]) -> bytes:
    # No other use of SECRET_KEY has this key.
    secret_bytes = secret.encode() if isinstance(secret, str) else secret
    return hmac.digest(secret_bytes, b"larder_cache.django: cached values", hashlib.sha256)


def _sign(secret: bytes, key: str, pickled: bytes) -> bytes:
    key_bytes = key.encode()
    return hmac.digest(secret, len(key_bytes).to_bytes(4, "big") + key_bytes + pickled, hashlib.sha256)
