"""Parts of the cache backends for Django, dogpile.cache, Flask-Caching and Celery."""
