"""The in-memory server of `larder_cache.fake`."""
