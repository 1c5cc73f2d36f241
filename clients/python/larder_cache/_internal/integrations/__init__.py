"""Parts of the backends for Django, dogpile.cache, Flask-Caching and Celery."""
