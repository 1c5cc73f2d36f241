"""Calls on dictionaries, lists, sets and sorted sets."""
