"""Several servers that hold the same items: which one an attempt goes to."""
