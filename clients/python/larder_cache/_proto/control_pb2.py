# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""The messages of protocol/proto/control.proto."""

from google.protobuf.internal import builder as _builder

from larder_cache._proto import _pool

# fmt: off
DESCRIPTOR = _pool.POOL.AddSerializedFile(
    b'\n!larder_cache/_proto/control.pr'
    b'oto\x12\x0econtrol_client""\n\x12CreateCac'
    b'heRequest\x12\x0c\n\x04name\x18\x01 \x01(\t"\x15\n\x13Creat'
    b'eCacheResponse""\n\x12DeleteCacheReq'
    b'uest\x12\x0c\n\x04name\x18\x01 \x01(\t"\x15\n\x13DeleteCach'
    b'eResponse"!\n\x11FlushCacheRequest\x12\x0c'
    b'\n\x04name\x18\x01 \x01(\t"\x14\n\x12FlushCacheRespon'
    b'se"\'\n\x11ListCachesRequest\x12\x12\n\nnext_'
    b'token\x18\x01 \x01(\t"S\n\x12ListCachesRespons'
    b'e\x12)\n\x06caches\x18\x01 \x03(\x0b2\x19.control_clie'
    b'nt.CacheInfo\x12\x12\n\nnext_token\x18\x02 \x01(\t'
    b'"\x7f\n\tCacheInfo\x12\x0c\n\x04name\x18\x01 \x01(\t\x121\n\x0cc'
    b'ache_limits\x18\x02 \x01(\x0b2\x1b.control_clie'
    b'nt.CacheLimits\x121\n\x0ctopic_limits\x18\x03'
    b' \x01(\x0b2\x1b.control_client.TopicLimit'
    b's"w\n\x0bCacheLimits\x12\x18\n\x10max_traffic_'
    b'rate\x18\x01 \x01(\r\x12\x1b\n\x13max_throughput_kbp'
    b's\x18\x02 \x01(\r\x12\x18\n\x10max_item_size_kb\x18\x03 \x01('
    b'\r\x12\x17\n\x0fmax_ttl_seconds\x18\x04 \x01(\x04"l\n\x0bTo'
    b'picLimits\x12\x18\n\x10max_publish_rate\x18\x01 '
    b'\x01(\r\x12\x1e\n\x16max_subscription_count\x18\x02 '
    b'\x01(\r\x12#\n\x1bmax_publish_message_size_'
    b'kb\x18\x03 \x01(\r2\xe6\x02\n\nScsControl\x12V\n\x0bCreat'
    b'eCache\x12".control_client.CreateCa'
    b'cheRequest\x1a#.control_client.Crea'
    b'teCacheResponse\x12V\n\x0bDeleteCache\x12"'
    b'.control_client.DeleteCacheReque'
    b'st\x1a#.control_client.DeleteCacheR'
    b'esponse\x12S\n\nListCaches\x12!.control_'
    b'client.ListCachesRequest\x1a".contr'
    b'ol_client.ListCachesResponse\x12S\n\n'
    b'FlushCache\x12!.control_client.Flus'
    b'hCacheRequest\x1a".control_client.F'
    b'lushCacheResponseB\x12\xaa\x02\x0fLarder.Pro'
    b'tocolb\x06proto3'
)
# fmt: on
_builder.BuildMessageAndEnumDescriptors(DESCRIPTOR, globals())
_builder.BuildTopDescriptorsAndMessages(DESCRIPTOR, "larder_cache._proto.control_pb2", globals())
