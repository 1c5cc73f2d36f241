"""Transports of attempts: the pipelined stream, unary calls, channels, lost connections."""
