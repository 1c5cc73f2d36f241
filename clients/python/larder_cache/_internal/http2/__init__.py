"""HTTP/2 and gRPC framing: frames, HPACK, connections."""
