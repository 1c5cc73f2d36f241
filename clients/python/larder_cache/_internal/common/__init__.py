"""What every other folder may use: logging, forks, names, background tasks."""
