# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""The messages of protocol/proto/pubsub.proto."""

from google.protobuf.internal import builder as _builder

from protobuf_messages import _pool

# fmt: off
DESCRIPTOR = _pool.POOL.AddSerializedFile(
    b'\n\x1eprotobuf_messages/pubsub.proto'
    b'\x12\x13cache_client.pubsub"6\n\nTopicVa'
    b'lue\x12\x0e\n\x04text\x18\x01 \x01(\tH\x00\x12\x10\n\x06binary\x18\x02 '
    b'\x01(\x0cH\x00B\x06\n\x04kind"c\n\x0ePublishRequest\x12'
    b'\x12\n\ncache_name\x18\x01 \x01(\t\x12\r\n\x05topic\x18\x02 \x01'
    b'(\t\x12.\n\x05value\x18\x03 \x01(\x0b2\x1f.cache_client'
    b'.pubsub.TopicValue"\x11\n\x0fPublishRes'
    b'ponse"u\n\x10SubscribeRequest\x12\x12\n\ncac'
    b"he_name\x18\x01 \x01(\t\x12\r\n\x05topic\x18\x02 \x01(\t\x12'\n\x1f"
    b'resume_at_topic_sequence_number\x18'
    b'\x03 \x01(\x04\x12\x15\n\rsequence_page\x18\x04 \x01(\x04"\xbc\x01\n'
    b'\x10SubscriptionItem\x12.\n\x04item\x18\x01 \x01(\x0b2'
    b'\x1e.cache_client.pubsub.TopicItemH'
    b'\x00\x12;\n\rdiscontinuity\x18\x02 \x01(\x0b2".cache'
    b'_client.pubsub.DiscontinuityH\x00\x123'
    b'\n\theartbeat\x18\x03 \x01(\x0b2\x1e.cache_client'
    b'.pubsub.HeartbeatH\x00B\x06\n\x04kind"\x87\x01\n\t'
    b'TopicItem\x12\x1d\n\x15topic_sequence_numb'
    b'er\x18\x01 \x01(\x04\x12.\n\x05value\x18\x02 \x01(\x0b2\x1f.cache_'
    b'client.pubsub.TopicValue\x12\x14\n\x0cpubl'
    b'isher_id\x18\x03 \x01(\t\x12\x15\n\rsequence_page\x18'
    b'\x04 \x01(\x04"c\n\rDiscontinuity\x12\x1b\n\x13last_t'
    b'opic_sequence\x18\x01 \x01(\x04\x12\x1a\n\x12new_topic'
    b'_sequence\x18\x02 \x01(\x04\x12\x19\n\x11new_sequence_'
    b'page\x18\x03 \x01(\x04"\x0b\n\tHeartbeat2\xbb\x01\n\x06Pubs'
    b'ub\x12T\n\x07Publish\x12#.cache_client.pub'
    b'sub.PublishRequest\x1a$.cache_clien'
    b't.pubsub.PublishResponse\x12[\n\tSubs'
    b'cribe\x12%.cache_client.pubsub.Subs'
    b'cribeRequest\x1a%.cache_client.pubs'
    b'ub.SubscriptionItem0\x01B\x12\xaa\x02\x0fLarder'
    b'.Protocolb\x06proto3'
)
# fmt: on
_builder.BuildMessageAndEnumDescriptors(DESCRIPTOR, globals())
_builder.BuildTopDescriptorsAndMessages(DESCRIPTOR, "protobuf_messages.pubsub_pb2", globals())
