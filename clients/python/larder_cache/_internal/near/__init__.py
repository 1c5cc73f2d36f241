"""The near cache: local copies of read values, and their invalidation."""
