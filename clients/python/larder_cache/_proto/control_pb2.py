# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""The messages of protocol/proto/control.proto."""

from google.protobuf.internal import builder as _builder

from larder_cache._proto import _pool

# fmt: off
DESCRIPTOR = _pool.POOL.AddSerializedFile(
    b'\n!larder_cache/_proto/control.pr'
    b'oto\x12\x0econtrol_client"5\n\x12CreateCac'
    b'heRequest\x12\x0c\n\x04name\x18\x01 \x01(\t\x12\x11\n\tmax_b'
    b'ytes\x18@ \x01(\x04"\x15\n\x13CreateCacheRespons'
    b'e""\n\x12DeleteCacheRequest\x12\x0c\n\x04name\x18'
    b'\x01 \x01(\t"\x15\n\x13DeleteCacheResponse"!\n\x11'
    b'FlushCacheRequest\x12\x0c\n\x04name\x18\x01 \x01(\t"'
    b'\x14\n\x12FlushCacheResponse"\'\n\x11ListCac'
    b'hesRequest\x12\x12\n\nnext_token\x18\x01 \x01(\t"S'
    b'\n\x12ListCachesResponse\x12)\n\x06caches\x18\x01'
    b' \x03(\x0b2\x19.control_client.CacheInfo\x12'
    b'\x12\n\nnext_token\x18\x02 \x01(\t"\x92\x01\n\tCacheInf'
    b'o\x12\x0c\n\x04name\x18\x01 \x01(\t\x121\n\x0ccache_limits\x18'
    b'\x02 \x01(\x0b2\x1b.control_client.CacheLimi'
    b'ts\x121\n\x0ctopic_limits\x18\x03 \x01(\x0b2\x1b.contr'
    b'ol_client.TopicLimits\x12\x11\n\tmax_byt'
    b'es\x18@ \x01(\x04"w\n\x0bCacheLimits\x12\x18\n\x10max_t'
    b'raffic_rate\x18\x01 \x01(\r\x12\x1b\n\x13max_through'
    b'put_kbps\x18\x02 \x01(\r\x12\x18\n\x10max_item_size_'
    b'kb\x18\x03 \x01(\r\x12\x17\n\x0fmax_ttl_seconds\x18\x04 \x01('
    b'\x04"l\n\x0bTopicLimits\x12\x18\n\x10max_publish_'
    b'rate\x18\x01 \x01(\r\x12\x1e\n\x16max_subscription_c'
    b'ount\x18\x02 \x01(\r\x12#\n\x1bmax_publish_messag'
    b'e_size_kb\x18\x03 \x01(\r2\xe6\x02\n\nScsControl\x12V'
    b'\n\x0bCreateCache\x12".control_client.C'
    b'reateCacheRequest\x1a#.control_clie'
    b'nt.CreateCacheResponse\x12V\n\x0bDelete'
    b'Cache\x12".control_client.DeleteCac'
    b'heRequest\x1a#.control_client.Delet'
    b'eCacheResponse\x12S\n\nListCaches\x12!.c'
    b'ontrol_client.ListCachesRequest\x1a'
    b'".control_client.ListCachesRespo'
    b'nse\x12S\n\nFlushCache\x12!.control_clie'
    b'nt.FlushCacheRequest\x1a".control_c'
    b'lient.FlushCacheResponseB\x12\xaa\x02\x0fLar'
    b'der.Protocolb\x06proto3'
)
# fmt: on
_builder.BuildMessageAndEnumDescriptors(DESCRIPTOR, globals())
_builder.BuildTopDescriptorsAndMessages(DESCRIPTOR, "larder_cache._proto.control_pb2", globals())
