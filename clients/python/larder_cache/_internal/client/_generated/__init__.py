"""Written by tools/python-sync."""
