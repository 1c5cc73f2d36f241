"""The module that `celery -A` loads."""

from tests.integrations.site_servers.sites import celery_app

app = celery_app()
