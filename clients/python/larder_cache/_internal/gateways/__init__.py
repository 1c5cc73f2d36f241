"""Several servers that hold the same items, and the choice of one for each attempt."""
