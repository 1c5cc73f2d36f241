# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""The messages of protocol/proto/token.proto."""

from google.protobuf.internal import builder as _builder

from larder_cache._proto import _pool

# fmt: off
DESCRIPTOR = _pool.POOL.AddSerializedFile(
    b'\n\x1flarder_cache/_proto/token.prot'
    b'o\x12\x05token"\x9f\x01\n\x1eGenerateDisposableT'
    b'okenRequest\x12.\n\x07expires\x18\x01 \x01(\x0b2\x1d.t'
    b'oken.DisposableTokenExpires\x12\x12\n\na'
    b"uth_token\x18\x02 \x01(\t\x12'\n\x0bpermissions\x18\x03"
    b' \x01(\x0b2\x12.token.Permissions\x12\x10\n\x08toke'
    b'n_id\x18\x04 \x01(\t"3\n\x16DisposableTokenExp'
    b'ires\x12\x19\n\x11valid_for_seconds\x18\x01 \x01(\r"'
    b'Y\n\x1fGenerateDisposableTokenRespon'
    b'se\x12\x0f\n\x07api_key\x18\x01 \x01(\t\x12\x10\n\x08endpoint\x18'
    b'\x02 \x01(\t\x12\x13\n\x0bvalid_until\x18\x03 \x01(\x04"x\n\x0bPe'
    b'rmissions\x121\n\nsuper_user\x18\x01 \x01(\x0e2\x1b.'
    b'token.SuperUserPermissionsH\x00\x12.\n\x08'
    b'explicit\x18\x02 \x01(\x0b2\x1a.token.ExplicitP'
    b'ermissionsH\x00B\x06\n\x04kind"B\n\x13Explicit'
    b'Permissions\x12+\n\x0bpermissions\x18\x01 \x03(\x0b'
    b'2\x16.token.PermissionsType"\x85\x01\n\x0fPer'
    b'missionsType\x124\n\x11cache_permission'
    b's\x18\x01 \x01(\x0b2\x17.token.CachePermissions'
    b'H\x00\x124\n\x11topic_permissions\x18\x02 \x01(\x0b2\x17.'
    b'token.TopicPermissionsH\x00B\x06\n\x04kind'
    b'"\x0b\n\tPermitAll"-\n\rCacheSelector\x12\x14'
    b'\n\ncache_name\x18\x01 \x01(\tH\x00B\x06\n\x04kind"@\n\x11'
    b'CacheItemSelector\x12\r\n\x03key\x18\x01 \x01(\x0cH\x00'
    b'\x12\x14\n\nkey_prefix\x18\x02 \x01(\x0cH\x00B\x06\n\x04kind"\x80'
    b'\x02\n\x10CachePermissions\x12#\n\x04role\x18\x01 \x01('
    b'\x0e2\x15.token.PermissionRole\x12&\n\nall_'
    b'caches\x18\x02 \x01(\x0b2\x10.token.PermitAllH\x00'
    b'\x12.\n\x0ecache_selector\x18\x03 \x01(\x0b2\x14.token'
    b'.CacheSelectorH\x00\x12%\n\tall_items\x18\x04 '
    b'\x01(\x0b2\x10.token.PermitAllH\x01\x121\n\ritem_'
    b'selector\x18\x05 \x01(\x0b2\x18.token.CacheItem'
    b'SelectorH\x01B\x07\n\x05cacheB\x0c\n\ncache_ite'
    b'm"J\n\rTopicSelector\x12\x14\n\ntopic_name'
    b'\x18\x01 \x01(\tH\x00\x12\x1b\n\x11topic_name_prefix\x18\x02 '
    b'\x01(\tH\x00B\x06\n\x04kind"\xf9\x01\n\x10TopicPermissio'
    b'ns\x12#\n\x04role\x18\x01 \x01(\x0e2\x15.token.Permiss'
    b'ionRole\x12&\n\nall_caches\x18\x02 \x01(\x0b2\x10.to'
    b'ken.PermitAllH\x00\x12.\n\x0ecache_selecto'
    b'r\x18\x03 \x01(\x0b2\x14.token.CacheSelectorH\x00\x12'
    b'&\n\nall_topics\x18\x04 \x01(\x0b2\x10.token.Perm'
    b'itAllH\x01\x12.\n\x0etopic_selector\x18\x05 \x01(\x0b2'
    b'\x14.token.TopicSelectorH\x01B\x07\n\x05cache'
    b'B\x07\n\x05topic*&\n\x14SuperUserPermission'
    b's\x12\x0e\n\nSUPER_USER\x10\x00*P\n\x0ePermissionR'
    b'ole\x12\x0f\n\x0bPERMIT_NONE\x10\x00\x12\x0e\n\nREAD_WRI'
    b'TE\x10\x01\x12\r\n\tREAD_ONLY\x10\x02\x12\x0e\n\nWRITE_ONL'
    b'Y\x10\x032q\n\x05Token\x12h\n\x17GenerateDisposab'
    b'leToken\x12%.token.GenerateDisposab'
    b'leTokenRequest\x1a&.token.GenerateD'
    b'isposableTokenResponseB\x12\xaa\x02\x0fLarde'
    b'r.Protocolb\x06proto3'
)
# fmt: on
_builder.BuildMessageAndEnumDescriptors(DESCRIPTOR, globals())
_builder.BuildTopDescriptorsAndMessages(DESCRIPTOR, "larder_cache._proto.token_pb2", globals())
