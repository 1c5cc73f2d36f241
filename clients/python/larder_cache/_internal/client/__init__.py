"""The parts of a cache handle, and the interface to the objects that run its calls."""
