"""Blocking calls: the background event loop, and connections that belong to one thread at a time."""
