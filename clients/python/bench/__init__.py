"""Measurements of the Python client beside its peers."""
