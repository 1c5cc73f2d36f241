# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""The messages of protocol/proto/extras.proto."""

from __future__ import annotations

import builtins  # noqa: F401

from larder_cache._internal.operations.message import Message
from larder_cache._internal.operations.message import field as _field

# KeyType
ANY = 0
SCALAR = 1
DICTIONARY = 2
SET = 3
LIST = 4
SORTED_SET = 5


class ScanKeysRequest(Message):
    prefix: bytes = _field("bytes", 1)
    type: int = _field("enum", 2)
    cursor: bytes = _field("bytes", 3)
    count: int = _field("uint32", 4)


class ScanKeysResponse(Message):
    keys: list[ScannedKey] = _field("message", 1, repeated=True, of=lambda: ScannedKey())
    cursor: bytes = _field("bytes", 2)


class ScannedKey(Message):
    key: builtins.bytes = _field("bytes", 1)
    type: int = _field("enum", 2)
    ttl_ms: int = _field("uint64", 3)
    bytes: int = _field("uint64", 4)


class ScanItemsRequest(Message):
    name: bytes = _field("bytes", 1)
    cursor: bytes = _field("bytes", 2)
    count: int = _field("uint32", 3)


class ScanItemsResponse(Message):
    dictionary: ScannedFields = _field("message", 1, oneof="items", of=lambda: ScannedFields())
    set: ScannedElements = _field("message", 2, oneof="items", of=lambda: ScannedElements())
    list: ScannedElements = _field("message", 3, oneof="items", of=lambda: ScannedElements())
    sorted_set: ScannedScores = _field("message", 4, oneof="items", of=lambda: ScannedScores())
    missing: ScannedNothing = _field("message", 5, oneof="items", of=lambda: ScannedNothing())
    cursor: bytes = _field("bytes", 9)


class ScannedFields(Message):
    fields: list[ScannedField] = _field("message", 1, repeated=True, of=lambda: ScannedField())


class ScannedField(Message):
    field: bytes = _field("bytes", 1)
    value: bytes = _field("bytes", 2)


class ScannedElements(Message):
    elements: list[bytes] = _field("bytes", 1, repeated=True)


class ScannedScores(Message):
    elements: list[ScannedScore] = _field("message", 1, repeated=True, of=lambda: ScannedScore())


class ScannedScore(Message):
    value: bytes = _field("bytes", 1)
    score: float = _field("double", 2)


class ScannedNothing(Message):
    pass


class GetOrLeaseRequest(Message):
    key: bytes = _field("bytes", 1)
    lease_ms: int = _field("uint32", 2)
    wait_ms: int = _field("uint32", 3)


class GetOrLeaseResponse(Message):
    class Hit(Message):
        value: bytes = _field("bytes", 1)

    class Stale(Message):
        value: bytes = _field("bytes", 1)
        expired_ms: int = _field("uint64", 2)
        token: bytes = _field("bytes", 3)
        validator: bytes = _field("bytes", 4)

    class Lease(Message):
        token: bytes = _field("bytes", 1)

    class Elsewhere(Message):
        pass

    hit: GetOrLeaseResponse.Hit = _field("message", 1, oneof="outcome", of=lambda: GetOrLeaseResponse.Hit())
    stale: GetOrLeaseResponse.Stale = _field("message", 2, oneof="outcome", of=lambda: GetOrLeaseResponse.Stale())
    lease: GetOrLeaseResponse.Lease = _field("message", 3, oneof="outcome", of=lambda: GetOrLeaseResponse.Lease())
    elsewhere: GetOrLeaseResponse.Elsewhere = _field("message", 4, oneof="outcome", of=lambda: GetOrLeaseResponse.Elsewhere())


class SetWithLeaseRequest(Message):
    key: bytes = _field("bytes", 1)
    value: bytes = _field("bytes", 2)
    ttl_ms: int = _field("uint64", 3)
    stale_ms: int = _field("uint64", 4)
    token: bytes = _field("bytes", 5)
    tags: list[bytes] = _field("bytes", 6, repeated=True)
    validator: bytes = _field("bytes", 7)


class SetWithLeaseResponse(Message):
    class Empty(Message):
        pass

    stored: SetWithLeaseResponse.Empty = _field("message", 1, oneof="outcome", of=lambda: SetWithLeaseResponse.Empty())
    not_stored: SetWithLeaseResponse.Empty = _field("message", 2, oneof="outcome", of=lambda: SetWithLeaseResponse.Empty())


class ReleaseLeaseRequest(Message):
    key: bytes = _field("bytes", 1)
    token: bytes = _field("bytes", 2)


class ReleaseLeaseResponse(Message):
    pass


class RemoveByTagRequest(Message):
    tags: list[bytes] = _field("bytes", 1, repeated=True)


class RemoveByTagResponse(Message):
    pass
