"""Examples that a Python developer would copy; each runs as it is, and under test."""
