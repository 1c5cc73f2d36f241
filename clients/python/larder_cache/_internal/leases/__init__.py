"""The implementation of `get_or_set`: leases, loads, expiry times."""
