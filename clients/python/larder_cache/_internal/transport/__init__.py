"""The transports: the pipelined stream, unary calls, channels, and the handling of lost connections."""
