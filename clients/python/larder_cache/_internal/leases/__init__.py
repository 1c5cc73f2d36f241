"""get_or_set: leases, loads, expiry times."""
