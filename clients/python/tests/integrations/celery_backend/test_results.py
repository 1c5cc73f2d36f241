"""Results, groups and chords, with a worker in a thread and the real server."""

from __future__ import annotations

import pickle
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from larder_cache import CacheError, ErrorCode
from larder_cache.fake import FakeServer
from tests.conftest import PATIENCE_S
from tests.integrations.celery_backend.conftest import Apps

FOLDER = Path(__file__).parents[3]


@contextmanager
def working(app: Any) -> Iterator[None]:
    from celery.contrib.testing.worker import start_worker

    with start_worker(app, pool="solo", perform_ping_check=False, loglevel="error"):
        yield


def run_program(program: str) -> str:
    """Run a separate program and return its output."""
    command = [sys.executable, "-c", textwrap.dedent(program)]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def tasks_of(app: Any) -> dict[str, Any]:
    def add(x: int, y: int) -> int:
        return x + y

    def total(numbers: list[int]) -> int:
        return sum(numbers)

    def fail(what: str) -> None:
        raise ValueError(what)

    def text(size: int) -> str:
        return "x" * size

    return {each.__name__: app.task(each) for each in (add, total, fail, text)}


@pytest.fixture(scope="module")
def app(lasting_apps: Apps, address: str) -> Any:
    return lasting_apps(f"larder://{address}/cache")


@pytest.fixture(scope="module")
def tasks(app: Any) -> Iterator[dict[str, Any]]:
    made = tasks_of(app)
    with working(app):
        yield made


def test_celery_backend_stores_results_and_failures_until_forgotten(app: Any, tasks: dict[str, Any]) -> None:
    done = tasks["add"].delay(1, 2)
    assert done.get(timeout=PATIENCE_S) == 3 and done.state == "SUCCESS"
    failed = tasks["fail"].delay("größe")
    with pytest.raises(ValueError, match="größe"):
        failed.get(timeout=PATIENCE_S)
    assert failed.state == "FAILURE" and "größe" in failed.traceback
    done.forget()
    assert done.state == "PENDING"


def test_celery_group_can_be_joined_saved_and_restored(app: Any, tasks: dict[str, Any]) -> None:
    from celery import group

    results = group(tasks["add"].s(n, n) for n in range(20)).apply_async()
    assert results.get(timeout=PATIENCE_S) == [2 * n for n in range(20)]
    results.save()
    again = app.GroupResult.restore(results.id)
    assert again.join(timeout=PATIENCE_S) == [2 * n for n in range(20)]
    again.delete()
    assert app.GroupResult.restore(results.id) is None


def test_chord_body_runs_once_and_its_keys_are_deleted(app: Any, tasks: dict[str, Any]) -> None:
    from celery import chord

    # Pass a list, because Celery 5.2 never completes a chord of a generator.
    body = chord([tasks["add"].s(n, n) for n in range(10)])(tasks["total"].s())
    assert body.get(timeout=PATIENCE_S) == 90
    group_id = body.parent.id
    assert app.backend.get(app.backend.get_key_for_chord(group_id)) is None
    assert app.GroupResult.restore(group_id) is None


def test_chord_fails_if_one_task_fails(tasks: dict[str, Any]) -> None:
    from celery import chord

    broken = chord([tasks["add"].s(1, 1), tasks["fail"].s("broken")])(tasks["total"].s())
    # Celery raises either the task's own error or a ChordError that contains its message, depending on which arrives
    # first.
    with pytest.raises(Exception, match="broken"):
        broken.get(timeout=PATIENCE_S)


def test_celery_result_over_the_size_limit_fails_its_task(tasks: dict[str, Any]) -> None:
    near = tasks["text"].delay(4_990_000)
    assert len(near.get(timeout=PATIENCE_S)) == 4_990_000
    for size in (5_000_193, 50_000_000):
        past = tasks["text"].delay(size)
        with pytest.raises(Exception, match="cannot be stored"):
            past.get(timeout=PATIENCE_S)
        assert past.state == "FAILURE"


def test_celery_result_is_readable_inside_a_running_event_loop(app: Any, tasks: dict[str, Any]) -> None:
    import asyncio

    done = tasks["add"].delay(1, 2)
    done.get(timeout=PATIENCE_S)

    async def read() -> int:
        return app.AsyncResult(done.id).result

    loop = asyncio.new_event_loop()
    assert loop.run_until_complete(read()) == 3
    loop.close()


def test_celery_backends_in_different_threads_share_one_client(app: Any) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as threads:
        other = threads.submit(lambda: app.backend).result()
    assert other is not app.backend
    assert other.client.asynchronous.results.calls is app.backend.client.asynchronous.results.calls


def test_celery_backend_keeps_its_settings_when_pickled(app: Any) -> None:
    backend = app.backend
    app.set_current()
    again = pickle.loads(pickle.dumps(backend))
    assert (again.url, again.expires) == (backend.url, backend.expires)


def test_celery_process_pool_stores_chord_results(address: str, tmp_path: Path) -> None:
    """Celery's process pool works even if it is forked after the parent process has used the backend.

    The broker is a folder, which all processes can access.
    """
    program = f"""
        from celery import Celery, chord
        from celery.contrib.testing.worker import start_worker
        app = Celery("forked", broker="filesystem://", backend="larder_cache.celery:LarderBackend+larder://{address}")
        folders = {{"data_folder_in": "{tmp_path}", "data_folder_out": "{tmp_path}"}}
        app.conf.update(result_expires=60, broker_transport_options=folders)
        @app.task
        def add(x, y): return x + y
        @app.task
        def total(numbers): return sum(numbers)
        assert app.backend.get(b"nothing") is None
        with start_worker(app, pool="prefork", concurrency=2, perform_ping_check=False, loglevel="error"):
            assert chord([add.s(n, n) for n in range(10)])(total.s()).get(timeout=60) == 90
    """
    run_program(program)


def test_celery_process_that_stored_large_results_exits_without_output(address: str) -> None:
    program = f"""
        from celery import Celery
        from celery.contrib.testing.worker import start_worker
        app = Celery("large", broker="memory://", backend="larder_cache.celery:LarderBackend+larder://{address}")
        @app.task
        def text(size): return "x" * size
        with start_worker(app, pool="solo", perform_ping_check=False, loglevel="error"):
            assert len(text.delay(4_900_000).get(timeout=60)) == 4_900_000
    """
    assert run_program(program) == ""


def test_celery_example_runs_unchanged(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LARDER_URL", f"http://{address}")
    from examples import celery_tasks

    celery_tasks.app.conf.worker_hijack_root_logger = False
    assert celery_tasks.main() == [70, 100]


# The following tests use a fake server to advance the time and to simulate failures.


@pytest.fixture
def fake() -> FakeServer:
    return FakeServer(caches=("cache", "results"))


def test_celery_results_expire_after_their_ttl(apps: Apps, fake: FakeServer) -> None:
    client = fake.sync_client()
    app = apps("larder://unused/results", result_expires=5, result_backend_transport_options={"client": client})
    app.backend.store_result("one", 7, "SUCCESS")
    app.backend.incr(b"counter")
    fake.advance(4.999)
    assert app.backend.get_result("one") == 7 and app.backend.incr(b"counter") == 2
    app.backend.expire(b"counter", 60)
    fake.advance(0.001)
    assert app.backend.get_task_meta("one", cache=False)["status"] == "PENDING"
    fake.advance(59)
    assert app.backend.get(b"counter") == b"2"
    assert client.cache("cache").results.scan_keys().keys == []  # type: ignore[union-attr]  # pyright: ignore


def test_celery_backend_retries_transient_errors_if_configured(apps: Apps, fake: FakeServer) -> None:
    options = {"client": fake.sync_client()}
    again = {"result_backend_always_retry": True, "result_backend_base_sleep_between_retries_ms": 1}
    app = apps("larder://unused", result_backend_transport_options=options, **again)
    fake.fail(ErrorCode.UNAVAILABLE, times=3)
    app.backend.store_result("one", 7, "SUCCESS")
    fake.fail(ErrorCode.TIMEOUT, times=2)
    assert app.backend.get_task_meta("one")["result"] == 7
    # Errors that a retry does not fix are raised without a retry.
    fake.fail(ErrorCode.PERMISSION_DENIED)
    with pytest.raises(CacheError) as refused:
        app.backend.store_result("two", 7, "SUCCESS")
    assert refused.value.code is ErrorCode.PERMISSION_DENIED
    app.conf.result_backend_max_retries = 1
    # Delete the thread's backend, so that the next call creates a backend that reads the settings again.
    from celery.exceptions import BackendStoreError

    del app._local.backend
    fake.fail(ErrorCode.UNAVAILABLE, times=2)
    with pytest.raises(BackendStoreError):
        app.backend.store_result("two", 7, "SUCCESS")


def test_celery_backend_raises_transient_errors_if_retries_are_not_configured(apps: Apps, fake: FakeServer) -> None:
    app = apps("larder://unused", result_backend_transport_options={"client": fake.sync_client()})
    fake.fail(ErrorCode.UNAVAILABLE)
    with pytest.raises(CacheError):
        app.backend.get_task_meta("one")
    # An increment is never retried, because it may have run.
    fake.fail(ErrorCode.TIMEOUT, "increment", ran=True)
    with pytest.raises(CacheError):
        app.backend.incr(b"counter")
    assert app.backend.incr(b"counter") == 2


def test_oversized_celery_result_removes_the_previous_result(apps: Apps, fake: FakeServer) -> None:
    from kombu.exceptions import EncodeError

    app = apps("larder://unused", result_backend_transport_options={"client": fake.sync_client()})
    app.backend.store_result("one", None, "STARTED")
    with pytest.raises(EncodeError, match="cannot be stored"):
        app.backend.store_result("one", "x" * 5_000_193, "SUCCESS")
    assert app.backend.get_task_meta("one")["status"] == "PENDING"


def test_celery_mget_sends_one_batch_call(apps: Apps, fake: FakeServer) -> None:
    app = apps("larder://unused", result_backend_transport_options={"client": fake.sync_client()})
    assert app.backend.mget([]) == [] and not fake.received
    app.backend.set(b"a", "1")
    assert app.backend.mget([b"b", b"a", b"b"]) == [None, b"1", None]
    assert fake.received["get_batch"] == 1
