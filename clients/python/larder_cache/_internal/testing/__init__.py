"""The server in memory of `larder_cache.fake`."""
