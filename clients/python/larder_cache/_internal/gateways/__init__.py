"""Several servers with the same items, and the choice of one server for each attempt."""
