"""Subscriptions to topics: connections, buffers, positions."""
