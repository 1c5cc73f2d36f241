# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""The messages of protocol/proto/pubsub.proto."""

from google.protobuf.internal import builder as _builder

from larder_cache._proto import _pool

# fmt: off
DESCRIPTOR = _pool.POOL.AddSerializedFile(
    b'\n larder_cache/_proto/pubsub.pro'
    b'to\x12\x13cache_client.pubsub"6\n\nTopic'
    b'Value\x12\x0e\n\x04text\x18\x01 \x01(\tH\x00\x12\x10\n\x06binary\x18'
    b'\x02 \x01(\x0cH\x00B\x06\n\x04kind"c\n\x0ePublishReques'
    b't\x12\x12\n\ncache_name\x18\x01 \x01(\t\x12\r\n\x05topic\x18\x02'
    b' \x01(\t\x12.\n\x05value\x18\x03 \x01(\x0b2\x1f.cache_clie'
    b'nt.pubsub.TopicValue"\x11\n\x0fPublishR'
    b'esponse"u\n\x10SubscribeRequest\x12\x12\n\nc'
    b"ache_name\x18\x01 \x01(\t\x12\r\n\x05topic\x18\x02 \x01(\t\x12'"
    b'\n\x1fresume_at_topic_sequence_numbe'
    b'r\x18\x03 \x01(\x04\x12\x15\n\rsequence_page\x18\x04 \x01(\x04"\xbc'
    b'\x01\n\x10SubscriptionItem\x12.\n\x04item\x18\x01 \x01('
    b'\x0b2\x1e.cache_client.pubsub.TopicIte'
    b'mH\x00\x12;\n\rdiscontinuity\x18\x02 \x01(\x0b2".cac'
    b'he_client.pubsub.DiscontinuityH\x00'
    b'\x123\n\theartbeat\x18\x03 \x01(\x0b2\x1e.cache_clie'
    b'nt.pubsub.HeartbeatH\x00B\x06\n\x04kind"\x87\x01'
    b'\n\tTopicItem\x12\x1d\n\x15topic_sequence_nu'
    b'mber\x18\x01 \x01(\x04\x12.\n\x05value\x18\x02 \x01(\x0b2\x1f.cach'
    b'e_client.pubsub.TopicValue\x12\x14\n\x0cpu'
    b'blisher_id\x18\x03 \x01(\t\x12\x15\n\rsequence_pag'
    b'e\x18\x04 \x01(\x04"c\n\rDiscontinuity\x12\x1b\n\x13last'
    b'_topic_sequence\x18\x01 \x01(\x04\x12\x1a\n\x12new_top'
    b'ic_sequence\x18\x02 \x01(\x04\x12\x19\n\x11new_sequenc'
    b'e_page\x18\x03 \x01(\x04"\x0b\n\tHeartbeat2\xbb\x01\n\x06Pu'
    b'bsub\x12T\n\x07Publish\x12#.cache_client.p'
    b'ubsub.PublishRequest\x1a$.cache_cli'
    b'ent.pubsub.PublishResponse\x12[\n\tSu'
    b'bscribe\x12%.cache_client.pubsub.Su'
    b'bscribeRequest\x1a%.cache_client.pu'
    b'bsub.SubscriptionItem0\x01B\x12\xaa\x02\x0fLard'
    b'er.Protocolb\x06proto3'
)
# fmt: on
_builder.BuildMessageAndEnumDescriptors(DESCRIPTOR, globals())
_builder.BuildTopDescriptorsAndMessages(DESCRIPTOR, "larder_cache._proto.pubsub_pb2", globals())
