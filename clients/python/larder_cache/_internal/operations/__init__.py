"""Encodes requests and decodes responses: arguments, protobuf messages, and the meaning of responses."""
