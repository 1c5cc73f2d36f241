"""Shared by all other folders: logging, forks, names, background tasks."""
