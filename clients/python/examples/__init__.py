"""Examples to copy. Each example is a complete program, and the tests run each of them."""
