# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""The messages of protocol/proto/control.proto."""

from google.protobuf.internal import builder as _builder

from protobuf_messages import _pool

# fmt: off
DESCRIPTOR = _pool.POOL.AddSerializedFile(
    b'\n\x1fprotobuf_messages/control.prot'
    b'o\x12\x0econtrol_client"5\n\x12CreateCache'
    b'Request\x12\x0c\n\x04name\x18\x01 \x01(\t\x12\x11\n\tmax_byt'
    b'es\x18@ \x01(\x04"\x15\n\x13CreateCacheResponse"'
    b'"\n\x12DeleteCacheRequest\x12\x0c\n\x04name\x18\x01 '
    b'\x01(\t"\x15\n\x13DeleteCacheResponse"!\n\x11Fl'
    b'ushCacheRequest\x12\x0c\n\x04name\x18\x01 \x01(\t"\x14\n'
    b'\x12FlushCacheResponse"\'\n\x11ListCache'
    b'sRequest\x12\x12\n\nnext_token\x18\x01 \x01(\t"S\n\x12'
    b'ListCachesResponse\x12)\n\x06caches\x18\x01 \x03'
    b'(\x0b2\x19.control_client.CacheInfo\x12\x12\n'
    b'\nnext_token\x18\x02 \x01(\t"\x92\x01\n\tCacheInfo\x12'
    b'\x0c\n\x04name\x18\x01 \x01(\t\x121\n\x0ccache_limits\x18\x02 '
    b'\x01(\x0b2\x1b.control_client.CacheLimits'
    b'\x121\n\x0ctopic_limits\x18\x03 \x01(\x0b2\x1b.control'
    b'_client.TopicLimits\x12\x11\n\tmax_bytes'
    b'\x18@ \x01(\x04"w\n\x0bCacheLimits\x12\x18\n\x10max_tra'
    b'ffic_rate\x18\x01 \x01(\r\x12\x1b\n\x13max_throughpu'
    b't_kbps\x18\x02 \x01(\r\x12\x18\n\x10max_item_size_kb'
    b'\x18\x03 \x01(\r\x12\x17\n\x0fmax_ttl_seconds\x18\x04 \x01(\x04"'
    b'l\n\x0bTopicLimits\x12\x18\n\x10max_publish_ra'
    b'te\x18\x01 \x01(\r\x12\x1e\n\x16max_subscription_cou'
    b'nt\x18\x02 \x01(\r\x12#\n\x1bmax_publish_message_'
    b'size_kb\x18\x03 \x01(\r2\xe6\x02\n\nScsControl\x12V\n\x0b'
    b'CreateCache\x12".control_client.Cre'
    b'ateCacheRequest\x1a#.control_client'
    b'.CreateCacheResponse\x12V\n\x0bDeleteCa'
    b'che\x12".control_client.DeleteCache'
    b'Request\x1a#.control_client.DeleteC'
    b'acheResponse\x12S\n\nListCaches\x12!.con'
    b'trol_client.ListCachesRequest\x1a".'
    b'control_client.ListCachesRespons'
    b'e\x12S\n\nFlushCache\x12!.control_client'
    b'.FlushCacheRequest\x1a".control_cli'
    b'ent.FlushCacheResponseB\x12\xaa\x02\x0fLarde'
    b'r.Protocolb\x06proto3'
)
# fmt: on
_builder.BuildMessageAndEnumDescriptors(DESCRIPTOR, globals())
_builder.BuildTopDescriptorsAndMessages(DESCRIPTOR, "protobuf_messages.control_pb2", globals())
