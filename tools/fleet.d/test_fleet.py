"""Tests of the fleet as a process that a user starts and a signal stops."""

from __future__ import annotations

import asyncio
import http.server
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from gateway import Gateway
from redis_node import BUS, Role, free_ports, read_roles

ROOT = Path(__file__).parents[2]
# A timeout that is longer than any start takes. A fleet that hangs fails after this time.
HANG_S = 50.0

sys.path.insert(0, str(ROOT / "clients" / "python"))

from larder_cache import CacheClient, CredentialProvider  # noqa: E402

NODES = """\
07c3 127.0.0.1:7004@17004 slave e7d1 0 1426238317239 4 connected
67ed 127.0.0.1:7002@17002 master - 0 1426238316232 2 connected 5461-10000 10002 [5460->-e7d1]
6ec2 127.0.0.1:7003@17003,name master,fail - 0 1426238318243 3 disconnected 10923-16383
e7d1 127.0.0.1:7001@17001 myself,master - 0 0 1 connected
"""


class Run:
    """One process of the command, with its own temporary folder."""

    def __init__(self, temporary: Path, *arguments: str) -> None:
        self.temporary = temporary
        words = [sys.executable, "-B", str(Path(__file__).parent), *arguments]
        self.process = subprocess.Popen(
            words,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": str(temporary)},
        )

    def read_until(self, text: str) -> str:
        """Return the output up to a line that contains this text."""
        assert self.process.stdout is not None
        said = ""
        for line in self.process.stdout:
            said += line
            if text in line:
                return said
        raise AssertionError(f"it ended without '{text}': {said}{self.end()}")

    def until_it_has_children(self) -> None:
        """Wait until the process has started its first child process."""
        limit = time.monotonic() + HANG_S
        while not self.children() and time.monotonic() < limit:
            time.sleep(0.01)
        assert self.children()

    def children(self) -> list[int]:
        """Return the running child processes."""
        tasks = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(pid) for pid in tasks.read_text().split()]

    def end(self, number: int = signal.SIGTERM) -> str:
        """Request a stop and wait for it; return what was written to standard error."""
        self.process.send_signal(number)
        return self.process.communicate(timeout=HANG_S)[1]


@contextmanager
def running(temporary: Path, *arguments: str) -> Iterator[Run]:
    run = Run(temporary, *arguments)
    try:
        yield run
    finally:
        if run.process.poll() is None:
            run.end()


def _is_there(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def _runs(pid: int) -> bool:
    """Return whether a process exists and is not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _assert_nothing_is_left(run: Run, pids: list[int]) -> None:
    assert run.process.returncode == 0
    assert [pid for pid in pids if _is_there(pid)] == []
    assert list(run.temporary.iterdir()) == []


def _client(url: str) -> CacheClient:
    return CacheClient(CredentialProvider.local(port=int(url.rpartition(":")[2])), default_ttl=60)


async def _set_and_get(first: str, second: str) -> bool:
    """Check that keys of all slots that are set at one gateway can be read at the other."""
    values = {f"key-{number}": f"value of key-{number}".encode() for number in range(100)}
    async with _client(first) as setter, _client(second) as getter:
        for key, value in values.items():
            await setter.cache("cache").set(key, value)
        return {key: await getter.cache("cache").get(key) for key in values} == values


def test_value_written_at_one_gateway_is_readable_at_another(tmp_path: Path) -> None:
    with running(tmp_path, "--masters", "3", "--replicas", "0", "--gateways", "2") as run:
        said = run.read_until("Ctrl+C")
        urls = said.splitlines()[0].removeprefix("LARDER_URL=").split(",")
        assert len(urls) == 2
        assert asyncio.run(_set_and_get(*urls))

        pids = [int(pid) for pid in re.findall(r"kill -9 (\d+)", said)]
        assert sorted(pids) == sorted(run.children())
        assert re.findall(r"^(\w+) .*?(?:slots (\S+))? +pid", said, re.M) == [
            ("gateway", ""),
            ("gateway", ""),
            ("master", "0-5460"),
            ("master", "5461-10922"),
            ("master", "10923-16383"),
        ]
        consoles = re.findall(r"^gateway .* console (\S+) ", said, re.M)
        assert [urllib.request.urlopen(f"{console}/health").status for console in consoles] == [200, 200]

        # A stop must work although some processes have already ended and others are paused.
        os.kill(pids[-1], signal.SIGKILL)
        run.read_until(f"(pid {pids[-1]}) has ended")
        os.kill(pids[-2], signal.SIGSTOP)
        run.end()
        _assert_nothing_is_left(run, pids)


def test_replica_takes_over_killed_master(tmp_path: Path) -> None:
    with running(tmp_path, "--gateways", "1") as run:
        said = run.read_until("Ctrl+C")
        masters = dict(re.findall(r"^master +(\S+) +slots (\S+)", said, re.M))
        replicas = dict(re.findall(r"^replica +(\S+) +of (\S+)", said, re.M))
        assert len(masters) == 3 and sorted(replicas.values()) == sorted(masters)
        replica, master = next(iter(replicas.items()))
        pids = run.children()
        os.kill(int(re.findall(rf"^master +{master} .* (\d+)$", said, re.M)[0]), signal.SIGKILL)
        run.read_until(f"{replica} is now a master of slots {masters[master]}")
        run.end()
        _assert_nothing_is_left(run, pids)


def test_single_master_runs_without_cluster_until_ctrl_c(tmp_path: Path) -> None:
    with running(tmp_path, "--masters", "1", "--gateways", "1") as run:
        said = run.read_until("Ctrl+C")
        url = said.splitlines()[0].removeprefix("LARDER_URL=")
        assert asyncio.run(_set_and_get(url, url))
        assert re.search(r"^server .* no cluster", said, re.M)
        pids = run.children()
        run.end(signal.SIGINT)
        _assert_nothing_is_left(run, pids)


def test_command_gets_fleet_addresses_and_its_exit_code_is_returned(tmp_path: Path) -> None:
    program = "import os; print(os.environ['LARDER_URL'], os.environ['LARDER_STORE']); raise SystemExit(7)"
    words = ["--masters", "1", "--gateways", "2", "--", sys.executable, "-c", program, "--gateways", "9"]
    run = Run(tmp_path, *words)
    said = run.process.communicate(timeout=HANG_S)[0]
    assert run.process.returncode == 7
    url, store = said.split()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+,http://127\.0\.0\.1:\d+", url)
    assert re.fullmatch(r"redis://127\.0\.0\.1:\d+", store)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("asked", "hears", "ended"),
    [
        (signal.SIGTERM, "SIG_DFL", signal.SIGTERM),
        (signal.SIGINT, "SIG_DFL", signal.SIGTERM),
        (signal.SIGTERM, "SIG_IGN", signal.SIGKILL),
    ],
)
def test_signal_to_fleet_ends_its_command(tmp_path: Path, asked: int, hears: str, ended: int) -> None:
    hearing = f"signal.signal(signal.SIGTERM, signal.{hears})"
    program = f"import signal, time; {hearing}; print('begun', flush=True); time.sleep(600)"
    words = ["--masters", "1", "--gateways", "1", "--", sys.executable, "-c", program]
    with running(tmp_path, *words) as run:
        run.read_until("begun")
        pids = run.children()
        run.end(asked)
        assert run.process.returncode == 128 + ended
        assert [pid for pid in pids if _is_there(pid)] == []
        assert list(tmp_path.iterdir()) == []


def test_missing_command_is_reported_and_fleet_is_cleaned_up(tmp_path: Path) -> None:
    run = Run(tmp_path, "--masters", "1", "--gateways", "1", "--", "no-such-program")
    errors = run.process.communicate(timeout=HANG_S)[1]
    assert run.process.returncode == 1
    assert "no-such-program cannot be started: No such file or directory" in errors
    assert list(tmp_path.iterdir()) == []


def test_killed_fleet_leaves_no_running_processes(tmp_path: Path) -> None:
    with running(tmp_path, "--masters", "1", "--gateways", "1") as run:
        run.read_until("Ctrl+C")
        pids = run.children()
        assert len(pids) == 2
        os.kill(run.process.pid, signal.SIGKILL)
        run.process.wait(HANG_S)
        limit = time.monotonic() + HANG_S
        while any(_runs(pid) for pid in pids) and time.monotonic() < limit:
            time.sleep(0.01)
        assert [pid for pid in pids if _runs(pid)] == []


def test_signal_during_start_leaves_no_processes_or_files(tmp_path: Path) -> None:
    with running(tmp_path) as run:
        run.until_it_has_children()
        run.end()
        _assert_nothing_is_left(run, [])
        assert not any(str(tmp_path) in line for line in _commands())


def _commands() -> list[str]:
    lines: list[str] = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            lines.append(path.read_text().replace("\0", " "))
        except OSError:
            pass  # The process ended in the meantime.
    return lines


def test_failed_gateway_start_ends_fleet_and_shows_gateway_output(tmp_path: Path) -> None:
    broken = tmp_path / "broken.dll"
    broken.write_text("no program")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    run = Run(temporary, "--masters", "1", "--server", str(broken))
    errors = run.process.communicate(timeout=HANG_S)[1]
    assert run.process.returncode == 1
    assert "a gateway exited during its start" in errors and "broken.runtimeconfig" in errors
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--masters 0", "--masters must be 3 to 16 for a cluster, or 1 for a server without a cluster, not 0"),
        ("--masters 2", "--masters must be 3 to 16 for a cluster"),
        ("--masters 17", "--masters must be 3 to 16 for a cluster"),
        ("--masters many", "invalid int value: 'many'"),
        ("--replicas -1", "--replicas must be 0 to 3, not -1"),
        ("--replicas 4", "--replicas must be 0 to 3, not 4"),
        ("--masters 1 --replicas 1", "--replicas 1 needs a cluster"),
        ("--gateways 0", "--gateways must be 1 to 8, not 0"),
        ("--gateways 9", "--gateways must be 1 to 8, not 9"),
        ("--nodes 3", "unrecognized arguments: --nodes 3"),
        ("--rolling-restart -- true", "--rolling-restart cannot be combined with a command"),
        ("--rolling-restart --replicas 0", "--rolling-restart needs at least one replica for each master"),
        ("--rolling-restart --gateways 1", "--rolling-restart needs at least one replica for each master"),
        ("--masters 1 --", "the command after -- is missing; pass one, or omit --"),
    ],
)
def test_invalid_arguments_are_rejected_before_start(arguments: str, said: str, tmp_path: Path) -> None:
    run = Run(tmp_path, *arguments.split())
    errors = run.process.communicate(timeout=HANG_S)[1]
    assert run.process.returncode == 2
    assert said in errors
    assert list(tmp_path.iterdir()) == []


def test_missing_redis_server_is_reported_with_install_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    run = Run(tmp_path)
    assert "redis-server is not installed; run: tools/setup redis" in run.process.communicate(timeout=HANG_S)[1]
    assert run.process.returncode == 1


def test_read_roles_parses_cluster_nodes_output() -> None:
    assert read_roles(NODES) == {
        7004: Role(is_master=False, slots="", master_port=7001),
        7002: Role(is_master=True, slots="5461-10000 10002", master_port=None),
        7003: Role(is_master=True, slots="10923-16383", master_port=None),
        7001: Role(is_master=True, slots="", master_port=None),
    }
    assert read_roles("") == {}


def test_free_ports_are_distinct_from_each_other_and_bus_ports() -> None:
    ports = free_ports(64)
    assert len({*ports, *(port + BUS for port in ports)}) == 128


@pytest.mark.parametrize("name", ["http_proxy", "all_proxy"])
def test_gateway_check_ignores_proxy_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    class Health(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing."""

    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.setenv(name, "http://127.0.0.1:9")
    with http.server.HTTPServer(("127.0.0.1", 0), Health) as console:
        threading.Thread(target=console.handle_request, daemon=True).start()
        asked = Gateway.__new__(Gateway)
        asked.log = tmp_path / "gateway.log"
        asked.log.write_text(f"listening on http://127.0.0.1:1 console http://127.0.0.1:{console.server_port}\n")
        assert asked.is_ready()
