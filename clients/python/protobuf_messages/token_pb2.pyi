# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from google.protobuf import descriptor, message
from google.protobuf.internal import containers, enum_type_wrapper

DESCRIPTOR: descriptor.FileDescriptor

class SuperUserPermissions(int, metaclass=enum_type_wrapper.EnumTypeWrapper): ...

SUPER_USER: SuperUserPermissions

class PermissionRole(int, metaclass=enum_type_wrapper.EnumTypeWrapper): ...

PERMIT_NONE: PermissionRole
READ_WRITE: PermissionRole
READ_ONLY: PermissionRole
WRITE_ONLY: PermissionRole

class GenerateDisposableTokenRequest(message.Message):
    EXPIRES_FIELD_NUMBER: ClassVar[int]
    AUTH_TOKEN_FIELD_NUMBER: ClassVar[int]
    PERMISSIONS_FIELD_NUMBER: ClassVar[int]
    TOKEN_ID_FIELD_NUMBER: ClassVar[int]
    expires: DisposableTokenExpires
    auth_token: str
    permissions: Permissions
    token_id: str
    def __init__(
        self,
        expires: DisposableTokenExpires | Mapping[str, Any] | None = ...,
        auth_token: str | None = ...,
        permissions: Permissions | Mapping[str, Any] | None = ...,
        token_id: str | None = ...,
    ) -> None: ...

class DisposableTokenExpires(message.Message):
    VALID_FOR_SECONDS_FIELD_NUMBER: ClassVar[int]
    valid_for_seconds: int
    def __init__(
        self,
        valid_for_seconds: int | None = ...,
    ) -> None: ...

class GenerateDisposableTokenResponse(message.Message):
    API_KEY_FIELD_NUMBER: ClassVar[int]
    ENDPOINT_FIELD_NUMBER: ClassVar[int]
    VALID_UNTIL_FIELD_NUMBER: ClassVar[int]
    api_key: str
    endpoint: str
    valid_until: int
    def __init__(
        self,
        api_key: str | None = ...,
        endpoint: str | None = ...,
        valid_until: int | None = ...,
    ) -> None: ...

class Permissions(message.Message):
    SUPER_USER_FIELD_NUMBER: ClassVar[int]
    EXPLICIT_FIELD_NUMBER: ClassVar[int]
    super_user: SuperUserPermissions
    explicit: ExplicitPermissions
    def __init__(
        self,
        super_user: SuperUserPermissions | str | None = ...,
        explicit: ExplicitPermissions | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ExplicitPermissions(message.Message):
    PERMISSIONS_FIELD_NUMBER: ClassVar[int]
    permissions: containers.RepeatedCompositeFieldContainer[PermissionsType]
    def __init__(
        self,
        permissions: Iterable[PermissionsType | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class PermissionsType(message.Message):
    CACHE_PERMISSIONS_FIELD_NUMBER: ClassVar[int]
    TOPIC_PERMISSIONS_FIELD_NUMBER: ClassVar[int]
    cache_permissions: CachePermissions
    topic_permissions: TopicPermissions
    def __init__(
        self,
        cache_permissions: CachePermissions | Mapping[str, Any] | None = ...,
        topic_permissions: TopicPermissions | Mapping[str, Any] | None = ...,
    ) -> None: ...

class PermitAll(message.Message):
    def __init__(self) -> None: ...

class CacheSelector(message.Message):
    CACHE_NAME_FIELD_NUMBER: ClassVar[int]
    cache_name: str
    def __init__(
        self,
        cache_name: str | None = ...,
    ) -> None: ...

class CacheItemSelector(message.Message):
    KEY_FIELD_NUMBER: ClassVar[int]
    KEY_PREFIX_FIELD_NUMBER: ClassVar[int]
    key: bytes
    key_prefix: bytes
    def __init__(
        self,
        key: bytes | None = ...,
        key_prefix: bytes | None = ...,
    ) -> None: ...

class CachePermissions(message.Message):
    ROLE_FIELD_NUMBER: ClassVar[int]
    ALL_CACHES_FIELD_NUMBER: ClassVar[int]
    CACHE_SELECTOR_FIELD_NUMBER: ClassVar[int]
    ALL_ITEMS_FIELD_NUMBER: ClassVar[int]
    ITEM_SELECTOR_FIELD_NUMBER: ClassVar[int]
    role: PermissionRole
    all_caches: PermitAll
    cache_selector: CacheSelector
    all_items: PermitAll
    item_selector: CacheItemSelector
    def __init__(
        self,
        role: PermissionRole | str | None = ...,
        all_caches: PermitAll | Mapping[str, Any] | None = ...,
        cache_selector: CacheSelector | Mapping[str, Any] | None = ...,
        all_items: PermitAll | Mapping[str, Any] | None = ...,
        item_selector: CacheItemSelector | Mapping[str, Any] | None = ...,
    ) -> None: ...

class TopicSelector(message.Message):
    TOPIC_NAME_FIELD_NUMBER: ClassVar[int]
    TOPIC_NAME_PREFIX_FIELD_NUMBER: ClassVar[int]
    topic_name: str
    topic_name_prefix: str
    def __init__(
        self,
        topic_name: str | None = ...,
        topic_name_prefix: str | None = ...,
    ) -> None: ...

class TopicPermissions(message.Message):
    ROLE_FIELD_NUMBER: ClassVar[int]
    ALL_CACHES_FIELD_NUMBER: ClassVar[int]
    CACHE_SELECTOR_FIELD_NUMBER: ClassVar[int]
    ALL_TOPICS_FIELD_NUMBER: ClassVar[int]
    TOPIC_SELECTOR_FIELD_NUMBER: ClassVar[int]
    role: PermissionRole
    all_caches: PermitAll
    cache_selector: CacheSelector
    all_topics: PermitAll
    topic_selector: TopicSelector
    def __init__(
        self,
        role: PermissionRole | str | None = ...,
        all_caches: PermitAll | Mapping[str, Any] | None = ...,
        cache_selector: CacheSelector | Mapping[str, Any] | None = ...,
        all_topics: PermitAll | Mapping[str, Any] | None = ...,
        topic_selector: TopicSelector | Mapping[str, Any] | None = ...,
    ) -> None: ...
