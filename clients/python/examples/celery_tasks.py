"""`python celery_tasks.py`: Celery's results in Larder. LARDER_URL names another server, BROKER_URL a broker.

A worker of its own: `python -m celery -A celery_tasks worker`; with a broker that it can reach.
"""

import os

from celery import Celery, chord
from celery.contrib.testing.worker import start_worker

app = Celery(
    "shop",
    broker=os.environ.get("BROKER_URL", "memory://"),
    # Where the package is installed: "larder://127.0.0.1:8080/cache".
    backend="larder_cache.celery:LarderBackend+" + os.environ.get("LARDER_URL", "larder://127.0.0.1:8080") + "/cache",
)
app.conf.update(result_expires=3_600, result_backend_always_retry=True, result_backend_max_retries=5)


@app.task
def price(article: int) -> int:
    """Stands for work."""
    return 10 * article


@app.task
def total(prices: list[int]) -> int:
    """A chord's body: it runs once, when all prices are there."""
    return sum(prices)


def main() -> list[int]:
    # In a thread of this process, for a broker that is in its memory.
    with start_worker(app, pool="solo", perform_ping_check=False, loglevel="error"):
        one = price.delay(7).get(timeout=30)
        return [one, chord([price.s(article) for article in range(1, 5)])(total.s()).get(timeout=30)]


if __name__ == "__main__":
    print(main())
