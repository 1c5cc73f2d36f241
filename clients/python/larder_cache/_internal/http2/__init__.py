"""HTTP/2 and gRPC: frames, HPACK, connections."""
