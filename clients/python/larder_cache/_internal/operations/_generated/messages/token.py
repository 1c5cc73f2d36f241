# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""The messages of protocol/proto/token.proto."""

from __future__ import annotations

import builtins  # noqa: F401

from larder_cache._internal.operations.message import Message
from larder_cache._internal.operations.message import field as _field

# SuperUserPermissions
SUPER_USER = 0

# PermissionRole
PERMIT_NONE = 0
READ_WRITE = 1
READ_ONLY = 2
WRITE_ONLY = 3


class GenerateDisposableTokenRequest(Message):
    expires: DisposableTokenExpires = _field("message", 1, of=lambda: DisposableTokenExpires())
    auth_token: str = _field("string", 2)
    permissions: Permissions = _field("message", 3, of=lambda: Permissions())
    token_id: str = _field("string", 4)


class DisposableTokenExpires(Message):
    valid_for_seconds: int = _field("uint32", 1)


class GenerateDisposableTokenResponse(Message):
    api_key: str = _field("string", 1)
    endpoint: str = _field("string", 2)
    valid_until: int = _field("uint64", 3)


class Permissions(Message):
    super_user: int = _field("enum", 1, oneof="kind")
    explicit: ExplicitPermissions = _field("message", 2, oneof="kind", of=lambda: ExplicitPermissions())


class ExplicitPermissions(Message):
    permissions: list[PermissionsType] = _field("message", 1, repeated=True, of=lambda: PermissionsType())


class PermissionsType(Message):
    cache_permissions: CachePermissions = _field("message", 1, oneof="kind", of=lambda: CachePermissions())
    topic_permissions: TopicPermissions = _field("message", 2, oneof="kind", of=lambda: TopicPermissions())


class PermitAll(Message):
    pass


class CacheSelector(Message):
    cache_name: str = _field("string", 1, oneof="kind")


class CacheItemSelector(Message):
    key: bytes = _field("bytes", 1, oneof="kind")
    key_prefix: bytes = _field("bytes", 2, oneof="kind")


class CachePermissions(Message):
    role: int = _field("enum", 1)
    all_caches: PermitAll = _field("message", 2, oneof="cache", of=lambda: PermitAll())
    cache_selector: CacheSelector = _field("message", 3, oneof="cache", of=lambda: CacheSelector())
    all_items: PermitAll = _field("message", 4, oneof="cache_item", of=lambda: PermitAll())
    item_selector: CacheItemSelector = _field("message", 5, oneof="cache_item", of=lambda: CacheItemSelector())


class TopicSelector(Message):
    topic_name: str = _field("string", 1, oneof="kind")
    topic_name_prefix: str = _field("string", 2, oneof="kind")


class TopicPermissions(Message):
    role: int = _field("enum", 1)
    all_caches: PermitAll = _field("message", 2, oneof="cache", of=lambda: PermitAll())
    cache_selector: CacheSelector = _field("message", 3, oneof="cache", of=lambda: CacheSelector())
    all_topics: PermitAll = _field("message", 4, oneof="topic", of=lambda: PermitAll())
    topic_selector: TopicSelector = _field("message", 5, oneof="topic", of=lambda: TopicSelector())
