"""Storage formats of Django's cache: signed pickles, or JSON."""

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

# The length of a full HMAC-SHA256.
_MAC_BYTES = 32


class ForeignValue(BadSignature, ValueError):
    """A value that this site did not write, or that it wrote with another SECRET_KEY. The value was not unpickled."""


class Values(Protocol):
    """A storage format. The argument `key` is the full key of the value."""

    def dumps(self, key: str, value: Any) -> bytes:
        """Encode a value. An integer is stored as decimal text, so the server can increment it."""
        ...

    def loads(self, key: str, data: bytes) -> Any:
        """Decode a value. Raises ForeignValue or ValueError if it cannot be decoded."""


class SignedPickle:
    """Stores a pickle as the letter `p`, a signature, and the pickle. Stores an integer as text.

    Accepts the same values as Django's own backends.

    The signature covers the key and the pickle. The signing key is derived from SECRET_KEY. An attacker may be able to
    write to the server but does not know SECRET_KEY. Such an attacker can neither make the site unpickle anything nor
    move a value to another key. Values signed with a key of SECRET_KEY_FALLBACKS are also accepted.
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
            raise ForeignValue(f"the value of {key!r} was not signed with this site's SECRET_KEY")
        return pickle.loads(pickled)


class JsonValues:
    """Stores an integer as text, and other values as a type letter and the content.

    The letters are `s` for text, `b` for bytes and `j` for JSON. JSON reads tuples back as lists.

    Raises TypeError if JSON cannot represent the value, or if the value has more than 1,000,000 elements or 512 nesting
    levels (CODEC-10). A stored value that exceeds these limits raises ValueError before it is parsed.
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
    """A serializer of the application with `dumps(value)` and `loads(data)`."""

    def __init__(self, serializer: Any) -> None:
        self._serializer = serializer

    def dumps(self, key: str, value: Any) -> bytes:
        return self._serializer.dumps(value)

    def loads(self, key: str, data: bytes) -> Any:
        return self._serializer.loads(data)


def _integer(key: str, data: bytes) -> int:
    if data.removeprefix(b"-").isdigit() and len(data) <= 20:
        return int(data)
    raise ForeignValue(f"the value of {key!r} has an unknown format")


def _secrets() -> Iterator[bytes]:
    """Yield the signing keys. The first key signs new values. All keys are accepted for reading."""
    for secret in (settings.SECRET_KEY, *getattr(settings, "SECRET_KEY_FALLBACKS", ())):
        yield _derived_key(secret)


@functools.lru_cache(maxsize=16)
def _derived_key(secret: Union[str, bytes]) -> bytes:
    # The salt makes this key different from every other key derived from SECRET_KEY.
    secret_bytes = secret.encode() if isinstance(secret, str) else secret
    return hmac.digest(secret_bytes, b"larder_cache.django: cached values", hashlib.sha256)


def _sign(secret: bytes, key: str, pickled: bytes) -> bytes:
    key_bytes = key.encode()
    return hmac.digest(secret, len(key_bytes).to_bytes(4, "big") + key_bytes + pickled, hashlib.sha256)
