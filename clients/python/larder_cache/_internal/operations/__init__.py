"""Encoding of requests and decoding of responses: arguments, protobuf messages, meanings of responses."""
