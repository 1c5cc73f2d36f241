"""What the handles of a cache consist of, and the interface to what runs their calls."""
