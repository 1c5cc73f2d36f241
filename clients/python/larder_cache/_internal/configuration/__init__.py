"""Headers, TLS files and tokens for the public configuration modules."""
