"""How attempts travel: the pipelined stream, unary calls, channels, lost connections."""
