"""Headers, TLS files and tokens, which the public configuration modules build on."""
