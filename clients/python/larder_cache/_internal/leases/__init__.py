"""get_or_set: leases, loads, times to keep values."""
