"""The parts that `CacheClient` and `BoundCache` consist of, and the interface to what runs their calls."""
