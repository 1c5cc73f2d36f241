# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""The messages of protocol/proto/token.proto."""

from google.protobuf.internal import builder as _builder

from protobuf_messages import _pool

# fmt: off
DESCRIPTOR = _pool.POOL.AddSerializedFile(
    b'\n\x1dprotobuf_messages/token.proto\x12'
    b'\x05token"\x9f\x01\n\x1eGenerateDisposableTok'
    b'enRequest\x12.\n\x07expires\x18\x01 \x01(\x0b2\x1d.tok'
    b'en.DisposableTokenExpires\x12\x12\n\naut'
    b"h_token\x18\x02 \x01(\t\x12'\n\x0bpermissions\x18\x03 \x01"
    b'(\x0b2\x12.token.Permissions\x12\x10\n\x08token_'
    b'id\x18\x04 \x01(\t"3\n\x16DisposableTokenExpir'
    b'es\x12\x19\n\x11valid_for_seconds\x18\x01 \x01(\r"Y\n'
    b'\x1fGenerateDisposableTokenResponse'
    b'\x12\x0f\n\x07api_key\x18\x01 \x01(\t\x12\x10\n\x08endpoint\x18\x02 '
    b'\x01(\t\x12\x13\n\x0bvalid_until\x18\x03 \x01(\x04"x\n\x0bPerm'
    b'issions\x121\n\nsuper_user\x18\x01 \x01(\x0e2\x1b.to'
    b'ken.SuperUserPermissionsH\x00\x12.\n\x08ex'
    b'plicit\x18\x02 \x01(\x0b2\x1a.token.ExplicitPer'
    b'missionsH\x00B\x06\n\x04kind"B\n\x13ExplicitPe'
    b'rmissions\x12+\n\x0bpermissions\x18\x01 \x03(\x0b2\x16'
    b'.token.PermissionsType"\x85\x01\n\x0fPermi'
    b'ssionsType\x124\n\x11cache_permissions\x18'
    b'\x01 \x01(\x0b2\x17.token.CachePermissionsH\x00'
    b'\x124\n\x11topic_permissions\x18\x02 \x01(\x0b2\x17.to'
    b'ken.TopicPermissionsH\x00B\x06\n\x04kind"\x0b'
    b'\n\tPermitAll"-\n\rCacheSelector\x12\x14\n\n'
    b'cache_name\x18\x01 \x01(\tH\x00B\x06\n\x04kind"@\n\x11Ca'
    b'cheItemSelector\x12\r\n\x03key\x18\x01 \x01(\x0cH\x00\x12\x14'
    b'\n\nkey_prefix\x18\x02 \x01(\x0cH\x00B\x06\n\x04kind"\x80\x02\n'
    b'\x10CachePermissions\x12#\n\x04role\x18\x01 \x01(\x0e2'
    b'\x15.token.PermissionRole\x12&\n\nall_ca'
    b'ches\x18\x02 \x01(\x0b2\x10.token.PermitAllH\x00\x12.'
    b'\n\x0ecache_selector\x18\x03 \x01(\x0b2\x14.token.C'
    b'acheSelectorH\x00\x12%\n\tall_items\x18\x04 \x01('
    b'\x0b2\x10.token.PermitAllH\x01\x121\n\ritem_se'
    b'lector\x18\x05 \x01(\x0b2\x18.token.CacheItemSe'
    b'lectorH\x01B\x07\n\x05cacheB\x0c\n\ncache_item"'
    b'J\n\rTopicSelector\x12\x14\n\ntopic_name\x18\x01'
    b' \x01(\tH\x00\x12\x1b\n\x11topic_name_prefix\x18\x02 \x01('
    b'\tH\x00B\x06\n\x04kind"\xf9\x01\n\x10TopicPermissions'
    b'\x12#\n\x04role\x18\x01 \x01(\x0e2\x15.token.Permissio'
    b'nRole\x12&\n\nall_caches\x18\x02 \x01(\x0b2\x10.toke'
    b'n.PermitAllH\x00\x12.\n\x0ecache_selector\x18'
    b'\x03 \x01(\x0b2\x14.token.CacheSelectorH\x00\x12&\n'
    b'\nall_topics\x18\x04 \x01(\x0b2\x10.token.Permit'
    b'AllH\x01\x12.\n\x0etopic_selector\x18\x05 \x01(\x0b2\x14.'
    b'token.TopicSelectorH\x01B\x07\n\x05cacheB\x07'
    b'\n\x05topic*&\n\x14SuperUserPermissions\x12'
    b'\x0e\n\nSUPER_USER\x10\x00*P\n\x0ePermissionRol'
    b'e\x12\x0f\n\x0bPERMIT_NONE\x10\x00\x12\x0e\n\nREAD_WRITE'
    b'\x10\x01\x12\r\n\tREAD_ONLY\x10\x02\x12\x0e\n\nWRITE_ONLY\x10'
    b'\x032q\n\x05Token\x12h\n\x17GenerateDisposable'
    b'Token\x12%.token.GenerateDisposable'
    b'TokenRequest\x1a&.token.GenerateDis'
    b'posableTokenResponseB\x12\xaa\x02\x0fLarder.'
    b'Protocolb\x06proto3'
)
# fmt: on
_builder.BuildMessageAndEnumDescriptors(DESCRIPTOR, globals())
_builder.BuildTopDescriptorsAndMessages(DESCRIPTOR, "protobuf_messages.token_pb2", globals())
