"""Examples to copy. Each runs as it is, and the tests run each of them."""
