"""Codecs for `cache.typed(codec)`. A codec defines how typed values are stored (protocol/spec/codecs.md)."""

from larder_cache._internal.codecs.bytes_codec import BytesCodec
from larder_cache._internal.codecs.codec import Codec, DecodingError
from larder_cache._internal.codecs.json_codec import JsonCodec
from larder_cache._internal.codecs.message_pack_codec import MessagePackCodec
from larder_cache._internal.codecs.text_codec import TextCodec

__all__ = ["BytesCodec", "Codec", "DecodingError", "JsonCodec", "MessagePackCodec", "TextCodec"]
