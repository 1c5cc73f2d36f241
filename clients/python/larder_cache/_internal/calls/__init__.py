"""Calls and their attempts: concurrency limits, retries, deadlines, observers."""
