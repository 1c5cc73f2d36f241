"""Requests and answers as bytes: arguments, protobuf messages, what answers mean."""
