"""The near cache: copies of what was read, and what invalidates them."""
