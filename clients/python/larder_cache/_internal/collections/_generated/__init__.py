"""The calls on each type of collection; written by tools/operations."""
