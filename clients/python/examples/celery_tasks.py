"""`python celery_tasks.py`: Celery results in Larder. LARDER_URL sets the server, and BROKER_URL sets the broker.

To run a separate worker: `python -m celery -A celery_tasks worker`, with a broker that it can reach.
"""

import os

from celery import Celery, chord
from celery.contrib.testing.worker import start_worker

app = Celery(
    "shop",
    broker=os.environ.get("BROKER_URL", "memory://"),
    # If the package larder-cache is installed, the URL "larder://127.0.0.1:8080/cache" is enough.
    backend="larder_cache.celery:LarderBackend+" + os.environ.get("LARDER_URL", "larder://127.0.0.1:8080") + "/cache",
)
app.conf.update(result_expires=3_600, result_backend_always_retry=True, result_backend_max_retries=5)


@app.task
def price(article: int) -> int:
    """Simulate work."""
    return 10 * article


@app.task
def total(prices: list[int]) -> int:
    """Return the sum. As the body of a chord, this task runs once, when all prices are available."""
    return sum(prices)


def main() -> list[int]:
    # The worker runs in a thread of this process, because the memory broker works only within one process.
    with start_worker(app, pool="solo", perform_ping_check=False, loglevel="error"):
        one = price.delay(7).get(timeout=30)
        return [one, chord([price.s(article) for article in range(1, 5)])(total.s()).get(timeout=30)]


if __name__ == "__main__":
    print(main())
