"""Measurements of the Python client, compared with its peers."""
