"""Runs Prometheus with the configuration in deploy/prometheus against a server with faults."""

from __future__ import annotations

import json
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from installed import HANG_S, LISTENING, answer, begun, ended, log_of, until

ROOT = Path(__file__).parents[2]
DEPLOYED = ROOT / "deploy" / "prometheus"


def _free_port() -> int:
    with closing(socket.socket()) as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


class Watched:
    """A server with a token file and few allowed connections, and the Prometheus that scrapes it."""

    def __init__(self, server: subprocess.Popen[str], address: str, console: str, prometheus: str) -> None:
        self.server = server
        self.address = address
        self.console = console
        self._prometheus = prometheus

    def firing(self) -> set[str]:
        alerts = json.loads(answer(f"{self._prometheus}/api/v1/alerts"))["data"]["alerts"]
        return {alert["labels"]["alertname"] for alert in alerts if alert["state"] == "firing"}

    def ask(self, query: str) -> float | None:
        found = json.loads(answer(f"{self._prometheus}/api/v1/query?query={query}"))["data"]["result"]
        return float(found[0]["value"][1]) if found else None

    def fires(self, alert: str) -> None:
        until(lambda: alert in self.firing(), lambda: f"{alert} is not among {self.firing()}")


@contextmanager
def _watched(tool: Path, folder: Path) -> Iterator[Watched]:
    (folder / "token").write_text("a-token-of-the-tests\n")
    options = [
        "--port",
        "0",
        "--console-port",
        "0",
        "--memory",
        "128m",
        "--max-connections",
        "4",
        "--token-file",
        "token",
    ]
    processes: list[subprocess.Popen[str]] = []
    with (folder / "prometheus.log").open("w") as log:
        try:
            server, listening = begun(folder, LISTENING, tool, "serve", *options)
            processes.append(server)
            port = _free_port()
            _configured(folder, listening.group(2))
            processes.append(
                subprocess.Popen(
                    [
                        "prometheus",
                        f"--config.file={folder}/prometheus.yml",
                        f"--storage.tsdb.path={folder}/series",
                        f"--web.listen-address=127.0.0.1:{port}",
                    ],
                    stdout=log,
                    stderr=log,
                    text=True,
                )
            )
            watched = Watched(server, listening.group(1), listening.group(2), f"http://127.0.0.1:{port}")
            until(
                lambda: _is_ready(watched), lambda: log_of(folder).read_text() + (folder / "prometheus.log").read_text()
            )
            yield watched
        finally:
            for process in processes:
                ended(process)


def _is_ready(watched: Watched) -> bool:
    try:
        return watched.ask("larder_ready") == 1
    except OSError:
        return False


def _configured(folder: Path, console: str) -> None:
    """Copy the files in deploy/prometheus with this server's console address.

    The copies have short intervals, so that alerts fire soon.
    """
    configuration = (DEPLOYED / "prometheus.yml").read_text()
    assert configuration.count("127.0.0.1:8081") == configuration.count("scrape_interval: 15s") == 1
    configuration = configuration.replace("127.0.0.1:8081", console.removeprefix("http://"))
    hurried = "scrape_interval: 200ms\n  evaluation_interval: 200ms"
    (folder / "prometheus.yml").write_text(configuration.replace("scrape_interval: 15s", hurried))
    rules = (DEPLOYED / "alerts.yml").read_text()
    (folder / "alerts.yml").write_text(re.sub(r"^( +for:) \w+$", r"\1 0s", rules, flags=re.M))


def _crowd(address: str) -> None:
    """Open ten connections to a server that allows four. New connections replace old ones, because all are idle."""
    host, port = address.split(":")
    opened = [socket.create_connection((host, int(port))) for _ in range(10)]
    try:
        for each in opened:
            each.settimeout(HANG_S)
        for each in opened[:6]:
            try:
                assert each.recv(1 << 16) == b""
            except ConnectionResetError:
                pass
    finally:
        for each in opened:
            each.close()


def test_alerts_fire_only_when_server_has_faults(tool: Path, tmp_path: Path) -> None:
    if shutil.which("prometheus") is None:
        pytest.skip("prometheus is not installed: tools/setup faults")
    with _watched(tool, tmp_path) as watched:
        # Prometheus scrapes a healthy server several times. The server's memory use must not raise an alert.
        until(lambda: (watched.ask("count_over_time(larder_ready[1m])") or 0) >= 5, lambda: "it is not scraped")
        assert watched.firing() == set()
        # Cause faults that leave the server running: its token file cannot be reloaded, and it has too many
        # connections.
        (tmp_path / "token").unlink()
        watched.server.send_signal(signal.SIGHUP)
        watched.fires("LarderReloadFailed")
        _crowd(watched.address)
        watched.fires("LarderRefusesConnections")
        assert watched.firing() == {"LarderReloadFailed", "LarderRefusesConnections"}
        # Stop the server.
        watched.server.terminate()
        assert watched.server.wait(HANG_S) == 0
        watched.fires("LarderDown")
