"""Subscriptions: connections, buffers, positions."""
