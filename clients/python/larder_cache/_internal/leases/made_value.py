"""The result of a factory, and the form in which it is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any, Protocol

from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations.arguments import Key, Refusal, to_bytes, to_ttl_ms
from larder_cache._internal.operations.lease_answers import Stale
from larder_cache._internal.operations.requests import reject_single_tag, tag_fields
from larder_cache.factory_context import FactoryContext
from larder_cache.ttl import Ttl

# The maximum length of a validator (STALE-5).
MOST_VALIDATOR_BYTES = 1_024


@dataclass(frozen=True, slots=True, repr=False)
class Made:
    """A loaded value, and how to store it.

    Attributes:
        value: The encoded value.
        ttl_ms: The value's own time to live, or None to use the time to live of the call.
        tags: The tags of the call and of the factory's context, as the encoded field `tags` of a SetWithLease.
        validator: The ETag of the factory's context, as the encoded field `validator` of a SetWithLease.
        is_stored: Whether to store the value.
    """

    value: bytes
    ttl_ms: int | None = None
    tags: bytes = b""
    validator: bytes = b""
    is_stored: bool = True


class Form(Protocol):
    """Encodes and decodes the values that a `get_or_set` call stores."""

    def encode(self, value: Any) -> bytes:
        """Encode a value. Raises TypeError if the value is invalid, and Refusal if it cannot be stored."""
        ...

    def decode(self, value: bytes) -> Any:
        """Return a new object for a stored value that can be decoded."""
        ...

    def is_usable(self, value: bytes) -> bool:
        """Return whether a stored value can be decoded. A value that cannot be decoded is treated as a miss."""
        ...


class PlainForm:
    """Stores bytes unchanged and text as UTF-8."""

    def encode(self, value: Any) -> bytes:
        """Encode a value. See `Form.encode`."""
        return to_bytes(value)

    def decode(self, value: bytes) -> bytes:
        """Return the bytes unchanged. See `Form.decode`."""
        return value

    def is_usable(self, value: bytes) -> bool:
        """Return True, because any bytes can be decoded. See `Form.is_usable`."""
        return True


PLAIN = PlainForm()


def made(
    value: Any,
    form: Form,
    context: FactoryContext[Any],
    stale: Stale | None = None,
    ttl_of: Callable[[Any], Ttl | None] | None = None,
    tags: Iterable[Key] = (),
) -> Made:
    """Encode the result of a factory.

    Args:
        context: The context that the factory received.
        stale: The stale value in the context.
        tags: The tags of the call.

    Raises:
        TypeError: The value, the time to live, a tag or the ETag has an invalid type.
        CacheError: The value, the time to live, a tag or the ETag is out of range.
        Exception: The exception that `ttl_of` raised.
    """
    try:
        if stale is not None and context.is_not_modified:
            encoded, value = stale.value, form.decode(stale.value)
        else:
            encoded = form.encode(value)
        if context.do_not_store:
            return Made(encoded, is_stored=False)
        own = context.ttl
        if own is None and ttl_of is not None:
            own = ttl_of(value)
        ttl_ms = None if own is None else to_ttl_ms(own)
        reject_single_tag(context.tags)
        all_tags = tag_fields(6, chain(tags, context.tags), least=0)
        return Made(encoded, ttl_ms, all_tags, _validator_field(context, stale))
    except Refusal as refusal:
        raise refusal.error.to_exception() from None


def _validator_field(context: FactoryContext[Any], stale: Stale | None) -> bytes:
    """Encode the ETag of the context. An unmodified value keeps its validator. Returns b"" if there is none."""
    etag: Any = context.etag
    if etag is None:
        validator = stale.validator if stale is not None and context.is_not_modified else b""
    elif isinstance(etag, str):
        validator = to_bytes(etag)
    else:
        raise TypeError(f"the etag must be a str, not {type(etag).__name__}")
    if len(validator) > MOST_VALIDATOR_BYTES:
        raise Refusal(f"an etag must have at most {MOST_VALIDATOR_BYTES:,} bytes")
    return codec.bytes_field(7, validator) if validator else b""
