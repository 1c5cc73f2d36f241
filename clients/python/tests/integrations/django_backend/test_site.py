"""The Django backend in a site, and with Django's own test cases."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from typing import Any

import pytest

from tests.support.larder_server import ROOT, larder_server


def test_cache_page_serves_the_second_request_from_the_cache(cache: Any) -> None:
    from django.http import HttpResponse
    from django.test import RequestFactory
    from django.views.decorators.cache import cache_page

    made: list[int] = []

    @cache_page(60)
    def page(request: Any) -> Any:
        made.append(1)
        return HttpResponse("body", headers={"X-Made": str(len(made))})

    first, second = (page(RequestFactory().get("/page")) for _ in range(2))
    assert (first.content, second.content, second["X-Made"]) == (b"body", b"body", "1")
    assert len(made) == 1


def test_django_backend_passes_the_django_cache_test_suite() -> None:
    folder = ROOT / ".django-tests" / "tests"
    if not (folder / "cache").is_dir():
        pytest.skip("the source of Django's tests is not here: tools/setup django fetches Debian's")
    with larder_server("--max-ttl", "365d") as port:
        command = [sys.executable, "-m", "tests.integrations.django_suite", str(folder), f"http://127.0.0.1:{port}"]
        ended = subprocess.run(
            command, cwd=ROOT / "clients" / "python", capture_output=True, text=True, timeout=240, check=False
        )
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_django_example_site_counts_every_visit_under_load(cache: Any) -> None:
    from django.test import Client

    seen: list[int] = []
    failures: list[BaseException] = []

    def visitor() -> None:
        client = Client()
        try:
            for i in range(25):
                body = json.loads(client.get(f"/square/{i % 5}").content)
                assert body["answer"] == {"number": i % 5, "square": (i % 5) ** 2}
                seen.append(body["visits"])
        except BaseException as failure:
            # An exception in this thread would not fail the test. The test's own thread asserts that the list is empty.
            failures.append(failure)

    threads = [threading.Thread(target=visitor) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert sorted(seen) == list(range(1, 201)), "each visit was counted once"
