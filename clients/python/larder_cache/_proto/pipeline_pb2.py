# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""The messages of protocol/proto/pipeline.proto."""

from google.protobuf.internal import builder as _builder

from larder_cache._proto import _pool
from larder_cache._proto import cache_pb2  # noqa: F401

# fmt: off
DESCRIPTOR = _pool.POOL.AddSerializedFile(
    b'\n"larder_cache/_proto/pipeline.p'
    b'roto\x12\tlarder.v1\x1a\x1flarder_cache/_p'
    b'roto/cache.proto"1\n\x05Batch\x12(\n\nope'
    b'rations\x18\x01 \x03(\x0b2\x14.larder.v1.Operat'
    b'ion"\xc8\x06\n\tOperation\x12\n\n\x02id\x18\x01 \x01(\r\x12\r\n'
    b'\x05cache\x18\x02 \x01(\t\x12\x13\n\x0bdeadline_ms\x18\x03 \x01('
    b'\r\x12#\n\x06cancel\x18\x07 \x01(\x0b2\x11.larder.v1.Ca'
    b"ncelH\x00\x12'\n\x03get\x18\x04 \x01(\x0b2\x18.cache_clie"
    b"nt.GetRequestH\x00\x12'\n\x03set\x18\x05 \x01(\x0b2\x18.c"
    b'ache_client.SetRequestH\x00\x12-\n\x06dele'
    b'te\x18\x06 \x01(\x0b2\x1b.cache_client.DeleteRe'
    b'questH\x00\x124\n\nkeys_exist\x18\x08 \x01(\x0b2\x1e.ca'
    b'che_client.KeysExistRequestH\x00\x123\n'
    b'\tincrement\x18\t \x01(\x0b2\x1e.cache_client.'
    b'IncrementRequestH\x00\x12,\n\x06set_if\x18\n \x01'
    b'(\x0b2\x1a.cache_client.SetIfRequestH\x00'
    b'\x124\n\nupdate_ttl\x18\x0b \x01(\x0b2\x1e.cache_cli'
    b'ent.UpdateTtlRequestH\x00\x127\n\x0citem_g'
    b'et_ttl\x18\x0c \x01(\x0b2\x1f.cache_client.Item'
    b'GetTtlRequestH\x00\x12@\n\x11set_if_not_ex'
    b'ists\x18\r \x01(\x0b2#.cache_client.SetIfN'
    b'otExistsRequestH\x00\x122\n\tget_batch\x18\x0e'
    b' \x01(\x0b2\x1d.cache_client.GetBatchRequ'
    b'estH\x00\x122\n\tset_batch\x18\x0f \x01(\x0b2\x1d.cache'
    b'_client.SetBatchRequestH\x00\x129\n\rget'
    b'_with_hash\x18\x10 \x01(\x0b2 .cache_client.'
    b'GetWithHashRequestH\x00\x125\n\x0bset_if_h'
    b'ash\x18\x11 \x01(\x0b2\x1e.cache_client.SetIfHa'
    b'shRequestH\x00\x129\n\ritem_get_type\x18\x12 \x01'
    b'(\x0b2 .cache_client.ItemGetTypeReq'
    b'uestH\x00B\x06\n\x04call"\x08\n\x06Cancel"C\n\x0bBatc'
    b'hResult\x12"\n\x07results\x18\x01 \x03(\x0b2\x11.larde'
    b'r.v1.Result\x12\x10\n\x08draining\x18\x02 \x01(\x08"\xd6\x06'
    b"\n\x06Result\x12\n\n\x02id\x18\x01 \x01(\r\x12'\n\x06status\x18\x02"
    b' \x01(\x0b2\x15.larder.v1.CallStatusH\x00\x12(\n'
    b'\tuse_unary\x18\x03 \x01(\x0b2\x13.larder.v1.Use'
    b'UnaryH\x00\x12(\n\x03get\x18\x04 \x01(\x0b2\x19.cache_cli'
    b'ent.GetResponseH\x00\x12(\n\x03set\x18\x05 \x01(\x0b2\x19'
    b'.cache_client.SetResponseH\x00\x12.\n\x06d'
    b'elete\x18\x06 \x01(\x0b2\x1c.cache_client.Delet'
    b'eResponseH\x00\x125\n\nkeys_exist\x18\x08 \x01(\x0b2'
    b'\x1f.cache_client.KeysExistResponse'
    b'H\x00\x124\n\tincrement\x18\t \x01(\x0b2\x1f.cache_cl'
    b'ient.IncrementResponseH\x00\x12-\n\x06set_'
    b'if\x18\n \x01(\x0b2\x1b.cache_client.SetIfRes'
    b'ponseH\x00\x125\n\nupdate_ttl\x18\x0b \x01(\x0b2\x1f.ca'
    b'che_client.UpdateTtlResponseH\x00\x128'
    b'\n\x0citem_get_ttl\x18\x0c \x01(\x0b2 .cache_cli'
    b'ent.ItemGetTtlResponseH\x00\x12A\n\x11set_'
    b'if_not_exists\x18\r \x01(\x0b2$.cache_clie'
    b'nt.SetIfNotExistsResponseH\x00\x12.\n\tg'
    b'et_batch\x18\x0e \x01(\x0b2\x19.larder.v1.GetBa'
    b'tchResultH\x00\x12.\n\tset_batch\x18\x0f \x01(\x0b2\x19'
    b'.larder.v1.SetBatchResultH\x00\x12:\n\rg'
    b'et_with_hash\x18\x10 \x01(\x0b2!.cache_clien'
    b't.GetWithHashResponseH\x00\x126\n\x0bset_i'
    b'f_hash\x18\x11 \x01(\x0b2\x1f.cache_client.SetI'
    b'fHashResponseH\x00\x12:\n\ritem_get_type'
    b'\x18\x12 \x01(\x0b2!.cache_client.ItemGetTyp'
    b'eResponseH\x00B\t\n\x07outcome"\n\n\x08UseUna'
    b'ry":\n\nCallStatus\x12\x0c\n\x04code\x18\x01 \x01(\r\x12\x0f'
    b'\n\x07message\x18\x02 \x01(\t\x12\r\n\x05cause\x18\x03 \x01(\t">'
    b'\n\x0eGetBatchResult\x12,\n\tresponses\x18\x01 '
    b'\x03(\x0b2\x19.cache_client.GetResponse">'
    b'\n\x0eSetBatchResult\x12,\n\tresponses\x18\x01 '
    b'\x03(\x0b2\x19.cache_client.SetResponse2?'
    b'\n\x08Pipeline\x123\n\x03Run\x12\x10.larder.v1.Ba'
    b'tch\x1a\x16.larder.v1.BatchResult(\x010\x01B'
    b'\x12\xaa\x02\x0fLarder.Protocolb\x06proto3'
)
# fmt: on
_builder.BuildMessageAndEnumDescriptors(DESCRIPTOR, globals())
_builder.BuildTopDescriptorsAndMessages(DESCRIPTOR, "larder_cache._proto.pipeline_pb2", globals())
