"""The near cache: local copies of values that this client has read, and the invalidation of the copies."""
