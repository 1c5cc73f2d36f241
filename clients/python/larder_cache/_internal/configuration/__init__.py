"""Headers, TLS files and tokens, used by the public configuration modules."""
