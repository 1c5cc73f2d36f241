"""What the backends of Django, dogpile.cache, Flask-Caching and Celery are made of."""
