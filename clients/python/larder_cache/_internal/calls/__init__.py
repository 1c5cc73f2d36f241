"""From a call to its attempts: concurrency limits, retries, deadlines, observers."""
