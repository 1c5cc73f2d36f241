"""The parts of a cache handle, and the interface to what runs its calls."""
