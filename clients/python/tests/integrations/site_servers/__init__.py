"""Sites in processes of gunicorn, uvicorn and Celery, while their Larder server restarts."""
