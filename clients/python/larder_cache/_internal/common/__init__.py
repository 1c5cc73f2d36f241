"""Modules that all other internal modules use: logging, forks, names, background tasks."""
