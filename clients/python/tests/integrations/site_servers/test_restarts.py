"""While its Larder server is down, a site may fail requests, but none of its workers dies."""

from __future__ import annotations

import http.client
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import PATIENCE_S
from tests.support.larder_server import free_port, larder_server

PACKAGE = Path(__file__).parents[3]
SITES = "tests.integrations.site_servers.sites"
# Each kind of worker has two processes.
WORKERS = 2


def _until(condition: Callable[[], bool], what: str) -> None:
    ends = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < ends, what
        time.sleep(0.01)


class Server:
    """A Larder server that can be stopped."""

    def __init__(self) -> None:
        self.port = free_port()
        self._running = ExitStack()

    def start(self) -> None:
        self._running.enter_context(larder_server(port=self.port))

    def stop(self) -> None:
        self._running.close()


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    running.start()
    yield running
    running.stop()


@contextmanager
def _program(log: Path, environ: dict[str, str], *command: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program until the block ends."""
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=PACKAGE, env=os.environ | environ, stdout=output, stderr=output)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE_S)


class Visitors:
    """Threads that request a page repeatedly, and the responses by process."""

    def __init__(self, port: int, page: str) -> None:
        self._port, self._page = port, page
        self._over = False
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._visit) for _ in range(4)]
        self.pids: set[str] = set()
        self.begin()

    def begin(self) -> None:
        """Clear the recorded responses."""
        with self._lock:
            self.answered: dict[str, int] = {}
            self.succeeded: dict[str, int] = {}
            self.failed = 0

    def __enter__(self) -> Visitors:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over = True
        for thread in self._threads:
            thread.join()

    def ask(self) -> tuple[int, str]:
        """Request the page. Returns the status of the response, and the id of the process that sent it."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE_S)
        try:
            connection.request("GET", self._page, headers={"Connection": "close"})
            answer = connection.getresponse()
            answer.read()
            return answer.status, answer.headers.get("X-Pid", "")
        finally:
            connection.close()

    def _visit(self) -> None:
        while not self._over:
            try:
                status, pid = self.ask()
            except (OSError, http.client.HTTPException):
                # The request failed because the site does not listen yet, or because a worker was killed.
                status, pid = 0, ""
            with self._lock:
                if pid:
                    self.pids.add(pid)
                    self.answered[pid] = self.answered.get(pid, 0) + 1
                if status == 200:
                    self.succeeded[pid] = self.succeeded.get(pid, 0) + 1
                else:
                    self.failed += 1

    def all_answer(self) -> bool:
        """Return whether every process has responded, successfully or not."""
        return len(self.answered) == WORKERS and all(each >= 5 for each in self.answered.values())

    def all_succeed(self, count: int = 5) -> bool:
        """Return whether every process has responded successfully this many times."""
        return len(self.succeeded) == WORKERS and all(each >= count for each in self.succeeded.values())


def _gunicorn(kind: str, site: str) -> Callable[[int], list[str]]:
    return lambda port: [
        *(sys.executable, "-m", "gunicorn", "-k", kind, "-w", str(WORKERS), "--bind", f"127.0.0.1:{port}"),
        *(["--threads", "2"] if kind == "gthread" else []),
        f"{SITES}:{site}()",
    ]


def _uvicorn(site: str) -> Callable[[int], list[str]]:
    return lambda port: [
        *(sys.executable, "-m", "uvicorn", "--workers", str(WORKERS), "--port", str(port), "--log-level", "warning"),
        *("--factory", f"{SITES}:{site}"),
    ]


# The combinations of web server and framework that repeat what another combination covers.
LONG = pytest.mark.skipif("LARDER_LONG" not in os.environ, reason="takes 10 s: ./larder test --long")


def _site(
    name: str, modules: tuple[str, ...], command: Callable[[int], list[str]], page: str, *marks: pytest.MarkDecorator
) -> Any:
    return pytest.param(modules, command, page, id=name, marks=marks)


def _needs(*modules: str) -> None:
    for module in modules:
        # Check sys.modules first, because find_spec does not work for Celery after Celery was imported.
        if module not in sys.modules and find_spec(module) is None:
            pytest.skip(f"{module} is not installed: tools/setup python")


@pytest.mark.parametrize(
    "modules, command, page",
    [
        _site("gunicorn sync, Django", ("gunicorn", "django"), _gunicorn("sync", "django_wsgi"), "/square/3", LONG),
        _site("gunicorn gthread, Django", ("gunicorn", "django"), _gunicorn("gthread", "django_wsgi"), "/square/3"),
        _site(
            "gunicorn gthread, Flask",
            ("gunicorn", "flask_caching"),
            _gunicorn("gthread", "flask_wsgi"),
            "/visits",
            LONG,
        ),
        _site("uvicorn, Django", ("uvicorn", "django"), _uvicorn("django_asgi"), "/async/square/3", LONG),
        _site("uvicorn, CacheClient", ("uvicorn",), _uvicorn("client_asgi"), "/"),
    ],
)
def test_site_serves_requests_again_after_a_cache_server_restart(
    server: Server, tmp_path: Path, modules: tuple[str, ...], command: Callable[[int], list[str]], page: str
) -> None:
    _needs(*modules)
    port, log = free_port(), tmp_path / "log"
    environ = {"LARDER_URL": f"http://127.0.0.1:{server.port}"}
    with _program(log, environ, *command(port)) as process, Visitors(port, page) as visitors:

        def told(what: str) -> str:
            return f"{what}: {visitors.succeeded}, {visitors.failed} failed\n{log.read_text()[-4_000:]}"

        _until(visitors.all_succeed, "the site does not serve")
        pids = set(visitors.pids)
        visitors.begin()
        _until(visitors.all_succeed, told("the site does not serve"))
        assert visitors.failed == 0, told("requests fail although the server is there")

        server.stop()
        visitors.begin()
        # While the server is down, the requests to some sites fail. Only require that each process responds.
        _until(visitors.all_answer, "the site hangs without its server")
        server.start()

        visitors.begin()
        _until(visitors.all_succeed, "the site does not serve again")
        visitors.begin()
        _until(lambda: visitors.all_succeed(20), "the site does not go on serving")
        assert visitors.failed == 0, told("requests fail although the server is back")
        assert process.poll() is None and visitors.pids == pids, told(f"workers were {pids}, and {visitors.pids}")


def test_gevent_workers_fail_and_log_that_gevent_is_unsupported(server: Server, tmp_path: Path) -> None:
    _needs("gunicorn", "gevent", "django")
    port, log = free_port(), tmp_path / "log"
    environ = {"LARDER_URL": f"http://127.0.0.1:{server.port}"}
    with _program(log, environ, *_gunicorn("gevent", "django_wsgi")(port)), Visitors(port, "/square/3") as visitors:
        _until(lambda: len(visitors.pids) == WORKERS and visitors.failed > 20, "the site hangs")
        assert visitors.succeeded == {} and len(visitors.pids) == WORKERS
    text = log.read_text()
    assert "monkey patching of gevent; use workers with real threads" in text and "WORKER TIMEOUT" not in text


def test_celery_stores_results_again_after_a_cache_server_restart(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _needs("celery", "redis")
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server, the broker, is not installed: tools/setup redis")
    marks, broker = tmp_path / "marks", free_port()
    marks.mkdir()
    environ = {
        "LARDER_URL": f"larder://127.0.0.1:{server.port}/cache",
        "BROKER_URL": f"redis://127.0.0.1:{broker}",
    }
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    from tests.integrations.site_servers import sites

    app: Any = sites.celery_app()
    run = app.tasks["run"]
    redis = ("redis-server", "--port", str(broker), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path))
    worker = (
        sys.executable,
        "-m",
        "celery",
        "-A",
        "tests.integrations.site_servers.celery_site",
        "worker",
        "--pool",
        "prefork",
    )
    log, more = tmp_path / "log", ("-c", str(WORKERS), "--loglevel", "warning", "--without-gossip", "--without-mingle")
    with _program(tmp_path / "redis", {}, *redis), _program(log, environ, *worker, *more) as process:
        numbers = iter(range(10_000))

        def send() -> list[Any]:
            """Run two tasks concurrently, which requires both processes."""
            one, other = (str(marks / str(next(numbers))) for _ in range(2))
            return [run.delay(one, other), run.delay(other, one)]

        def results(sent: list[Any]) -> set[int]:
            try:
                return {each.get(timeout=PATIENCE_S) for each in sent}
            except Exception as failure:
                raise AssertionError(f"{failure!r}\n{log.read_text()[-4_000:]}") from failure

        pids = results(send())
        assert len(pids) == WORKERS

        server.stop()
        before = len(list(marks.iterdir()))
        away = send()
        _until(lambda: len(list(marks.iterdir())) == before + WORKERS, log.read_text())
        server.start()

        assert results(away) == pids
        assert all(results(send()) == pids for _ in range(5)) and process.poll() is None
    app.close()
