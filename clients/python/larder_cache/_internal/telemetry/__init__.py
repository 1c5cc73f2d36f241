"""Metrics, spans and statistics of a client."""
