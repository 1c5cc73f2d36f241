"""`python flask_site.py`: a Flask site on port 5000, cached in Larder. Set LARDER_URL to use another server."""

import os

from flask import Flask, Response, jsonify
from flask_caching import Cache

app = Flask(__name__)
cache = Cache(
    app,
    config={
        "CACHE_TYPE": "larder_cache.flask_caching.LarderCache",
        "CACHE_LARDER_URL": os.environ.get("LARDER_URL", "http://127.0.0.1:8080"),
        "CACHE_DEFAULT_TIMEOUT": 300,
        "CACHE_KEY_PREFIX": "shop:",
        "CACHE_OPTIONS": {"misses_when_down": True},
    },
)
calls: list[int] = []


@cache.memoize()
def square(number: int) -> dict[str, int]:
    """Simulate a query."""
    calls.append(number)
    return {"number": number, "square": number * number}


@app.get("/square/<int:number>")
@cache.cached(timeout=60)
def page(number: int) -> Response:
    """Return a page that is cached together with its status and headers."""
    return jsonify(square(number))


@app.get("/visits")
def visits() -> dict[str, int | None]:
    """Count the visits on the server. The number is None while the server is unreachable."""
    return {"visits": cache.cache.inc("visits")}


if __name__ == "__main__":
    app.run()
