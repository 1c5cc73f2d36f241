"""The implementation of the in-memory server `larder_cache.fake`."""
