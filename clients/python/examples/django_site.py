"""`LARDER_URL=http://127.0.0.1:8080 python django_site.py runserver`: a Django site that uses Larder as its cache."""

import os
import sys

from django.conf import settings
from django.core.cache import cache
from django.core.management import execute_from_command_line
from django.http import HttpRequest, JsonResponse
from django.urls import path

settings.configure(
    DEBUG=False,
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    SECRET_KEY="an example",
    CACHES={
        "default": {
            "BACKEND": "larder_cache.django.LarderCache",
            "LOCATION": os.environ.get("LARDER_URL", "http://127.0.0.1:8080"),
            "TIMEOUT": 300,
            "KEY_PREFIX": "site",
        }
    },
)


def expensive(number: int) -> dict[str, int]:
    """Simulate a query."""
    return {"number": number, "square": number * number}


def square(request: HttpRequest, number: int) -> JsonResponse:
    """Return the cached result of an expensive call, and the number of visits."""
    cache.add("visits", 0)
    answer = cache.get_or_set(f"square:{number}", lambda: expensive(number))
    return JsonResponse({"answer": answer, "visits": cache.incr("visits")})


async def square_async(request: HttpRequest, number: int) -> JsonResponse:
    """The same view, asynchronous."""
    await cache.aadd("visits", 0)
    answer = await cache.aget_or_set(f"square:{number}", lambda: expensive(number))
    return JsonResponse({"answer": answer, "visits": await cache.aincr("visits")})


urlpatterns = [path("square/<int:number>", square), path("async/square/<int:number>", square_async)]

if __name__ == "__main__":
    execute_from_command_line(sys.argv)
