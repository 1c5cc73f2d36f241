"""An operator's tasks with the packages of `./larder pack`, while programs in three languages make calls."""

from __future__ import annotations

import json
import queue
import re
import shutil
import signal
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from ssl import SSLContext, create_default_context

from installed import HANG_S, begun, ended, environment, log_of, run, started, until

ROOT = Path(__file__).parents[2]
READY = re.compile(r"listening on https://127\.0\.0\.1:(\d+) console https://\S+:(\d+)")
AGENTS = {
    "dotnet": ("dotnet", "clients/dotnet/agent/bin/Release/net10.0/Larder.Agent.dll"),
    "node": ("node", "clients/node/dist/agent/main.js"),
    "python": (str(ROOT / "tools" / "python"), "-m", "agent"),
}
# The number of keys of each program.
KEYS = 20
# The maximum time that calls wait for an unreachable server (RETRY-9).
LONGEST_WAIT_S = 2


class Program:
    """The agent of one client. It sends sets and gets, one after another, until the test stops it."""

    def __init__(self, language: str, endpoint: str, token: str, authority: Path) -> None:
        command = [str(ROOT / word) if "/" in word and not word.startswith("/") else word for word in AGENTS[language]]
        self._process = subprocess.Popen(
            command, cwd=ROOT / "clients" / "python", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.language = language
        self.calls = 0
        self.failed: list[str] = []
        self._asked = 0
        self._stops = threading.Event()
        self._reached: queue.SimpleQueue[int] = queue.SimpleQueue()
        assert "ready" in self._read()
        opened = self._ask(
            op="open", endpoint=endpoint, token=token, tls=True, caFile=str(authority), configuration="laptop"
        )
        assert opened["result"] == "success", opened
        self._thread = threading.Thread(target=self._run)

    def start(self) -> None:
        self._thread.start()

    def _read(self) -> dict[str, object]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, f"{self.language}'s agent ended"
        return json.loads(line)

    def _ask(self, **request: object) -> dict[str, object]:
        self._asked += 1
        assert self._process.stdin is not None
        print(json.dumps({"id": self._asked, **request}), file=self._process.stdin, flush=True)
        return self._read()

    def _run(self) -> None:
        while not self._stops.is_set():
            key = f"{self.language}-{self.calls // 2 % KEYS}"
            for request in ({"op": "set", "key": key, "value": "warm"}, {"op": "get", "key": key}):
                answer = self._ask(**request)
                self.calls += 1
                if answer["result"] not in ("success", "hit"):
                    self.failed.append(f"{request['op']} number {self.calls}: {answer}")

    def has_called(self) -> None:
        """Wait until this program has made fifty more calls."""
        enough = self.calls + 50
        until(lambda: self.calls >= enough, lambda: f"{self.language} calls no more: {self.failed}")

    def end(self) -> None:
        self._stops.set()
        if self._thread.ident is not None:
            self._thread.join(HANG_S)
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.wait(HANG_S) == 0


def _certificate(folder: Path, name: str) -> None:
    """Replace the server's key and certificate. The CA in the folder issues the new certificate for localhost."""
    _openssl(folder, f"req -newkey rsa:2048 -nodes -keyout new.key -out {name}.csr -subj /CN={name}")
    (folder / "names").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    _openssl(
        folder, f"x509 -req -in {name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out new.pem"
    )
    (folder / "new.key").replace(folder / "server.key")
    (folder / "new.pem").replace(folder / "server.pem")


def _openssl(folder: Path, words: str) -> None:
    subprocess.run(["openssl", *words.split()], cwd=folder, check=True, capture_output=True)


class Operator:
    """Acts as the operator of a server: changes its files, signals its process and uses its console."""

    def __init__(self, tool: Path, folder: Path) -> None:
        self.folder = folder
        self._tool = tool
        self._ports = ("0", "0")
        self._log: Path = log_of(folder)
        _openssl(folder, "req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=authority")
        _certificate(folder, "first")
        self.tokens("first-token-0123456789", "console-token-0123456789")
        self.start()

    def tokens(self, data: str, console: str) -> None:
        (self.folder / "token").write_text(data + "\n")
        (self.folder / "console-token").write_text(console + "\n")
        self._console_token = console

    def start(self) -> None:
        options = {
            "--port": self._ports[0],
            "--console-port": self._ports[1],
            "--console-host": "0.0.0.0",
            "--console-token-file": "console-token",
            "--token-file": "token",
            "--tls-cert": "server.pem",
            "--tls-key": "server.key",
            "--snapshot": "cache.snapshot",
            "--memory": "128m",
            "--log-format": "json",
        }
        words = [self._tool, "serve", *(word for option in options.items() for word in option)]
        self._process, ready = begun(self.folder, READY, *words)
        self._ports = (ready.group(1), ready.group(2))

    @property
    def endpoint(self) -> str:
        return f"127.0.0.1:{self._ports[0]}"

    def reload(self, *says: str) -> None:
        before = len(self._log.read_text())
        self._process.send_signal(signal.SIGHUP)
        until(
            lambda: all(text in self._log.read_text()[before:] for text in says),
            lambda: f"the log does not say {says}: {self._log.read_text()[before:]}",
        )

    def stop(self) -> None:
        assert ended(self._process) == 0, self._log.read_text()

    def kill(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()

    def look(self, path: str, token: str | None = None) -> tuple[int, str]:
        request = urllib.request.Request(f"https://127.0.0.1:{self._ports[1]}{path}")
        if token is not None:
            request.add_header("Authorization", f"Bearer {token}")
        try:
            with urllib.request.urlopen(request, context=self._trust(), timeout=HANG_S) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read().decode()

    def scrape(self) -> str:
        status, text = self.look("/metrics", self._console_token)
        assert status == 200
        return text

    def _trust(self) -> SSLContext:
        return create_default_context(cafile=self.folder / "ca.pem")

    def shell(self, *words: str, token: str) -> subprocess.CompletedProcess[str]:
        address = {
            "LARDER_URL": f"https://{self.endpoint}",
            "LARDER_TOKEN": token,
            "LARDER_CONSOLE": f"https://127.0.0.1:{self._ports[1]}",
            "LARDER_CONSOLE_TOKEN": self._console_token,
        }
        command = [self._tool, *words, "--ca", "ca.pem"]
        return subprocess.run(
            command, cwd=self.folder, env=environment(self._tool.parent) | address, capture_output=True, text=True
        )


@contextmanager
def _operated(tool: Path, folder: Path) -> Iterator[Operator]:
    operator = Operator(tool, folder)
    try:
        yield operator
    finally:
        operator.kill()


@contextmanager
def _calling(operator: Operator, token: str) -> Iterator[list[Program]]:
    programs: list[Program] = []
    try:
        for language in AGENTS:
            programs.append(Program(language, operator.endpoint, token, operator.folder / "ca.pem"))
        for program in programs:
            program.start()
        yield programs
    finally:
        for program in programs:
            program.end()


def _figure(metrics: str, name: str) -> float:
    return sum(float(line.rsplit(" ", 1)[1]) for line in metrics.splitlines() if re.match(rf"{name}[ {{]", line))


def _calls(programs: list[Program]) -> None:
    for program in programs:
        program.has_called()


def _blocks(section: str, language: str) -> list[str]:
    """Return the code blocks of a language in a section of the operating guide."""
    guide = (ROOT / "docs" / "guides" / "operating.md").read_text()
    section = guide[guide.index(f"## {section}") :].split("\n## ")[0]
    return re.findall(rf"^```{language}\n(.*?)^```", section, re.M | re.S)


def test_guide_server_with_token_and_certificate_accepts_clients(tool: Path, tmp_path: Path) -> None:
    serve, call = (
        re.sub(r"^larder ", f"{tool} ", block, flags=re.M) for block in _blocks("The data port beyond", "sh")
    )
    [program] = _blocks("The data port beyond", "python")
    *prepare, last = serve.splitlines()
    run(tmp_path, "bash", "-euc", "\n".join(prepare))
    listening = re.compile(r"listening on https://0\.0\.0\.0:(\d+) ")
    with started(tmp_path, listening, *last.split(), "--port", "0", "--console-port", "0", "--memory", "64m") as said:
        call = call.replace(":8080", f":{said.group(1)}")
        (tmp_path / "main.py").write_text(program)
        python = f"PYTHONPATH={ROOT / 'clients' / 'python'} {ROOT / 'tools' / 'python'} main.py"
        assert run(tmp_path, "bash", "-euc", f"{call}\n{python}") == "stored\nhello\nb'hello'\n"


def test_operator_tasks_cause_no_failed_calls_or_lost_items(tool: Path, tmp_path: Path) -> None:
    token = "first-token-0123456789"
    with _operated(tool, tmp_path) as operator:
        with _calling(operator, token) as programs:
            _calls(programs)
            # Probe: health checks need no token, but all other requests need one.
            assert operator.look("/health/live")[0] == operator.look("/health/ready")[0] == 200
            assert operator.look("/metrics")[0] == 401
            # Scrape the metrics.
            metrics = operator.scrape()
            if shutil.which("promtool"):
                checked = subprocess.run(
                    ["promtool", "check", "metrics"], input=metrics, capture_output=True, text=True
                )
                assert (checked.returncode, checked.stderr) == (0, ""), checked.stderr
            assert _figure(metrics, "larder_ready") == 1
            # Warm restart: store an item that no program accesses again.
            assert operator.shell("set", "kept", "through the upgrade", "--ttl", "3600", token=token).returncode == 0
            assert " entries" in operator.shell("stats", token=token).stdout
            # Rotate the certificate: open connections continue, and a new connection receives the new certificate.
            _certificate(tmp_path, "second")
            operator.reload("tls-cert")
            _calls(programs)
            assert operator.shell("get", "kept", token=token).stdout == "through the upgrade\n"
            # An invalid certificate changes nothing, and is logged and counted.
            (tmp_path / "server.pem").write_text("not a certificate\n")
            operator.reload("server.pem")
            until(
                lambda: _figure(operator.scrape(), "larder_reload_failures_total") == 1,
                lambda: "the failure is not counted",
            )
            assert operator.shell("get", "kept", token=token).stdout == "through the upgrade\n"
            _certificate(tmp_path, "third")
            # Upgrade: the new process takes over the files, port and items of the old process.
            stopped = time.monotonic()
            operator.stop()
            operator.start()
            away = time.monotonic() - stopped
            _calls(programs)
            assert operator.shell("get", "kept", token=token).stdout == "through the upgrade\n"
            assert _figure(operator.scrape(), "larder_snapshot_loaded_entries") == 3 * KEYS + 1
        # On a busy machine, the server may start so late that waiting calls fail with Unavailable. The test accepts
        # these failures.
        failed = {program.language: program.failed for program in programs}
        if away > LONGEST_WAIT_S - 0.5:
            failed = {
                language: [each for each in calls if "'Unavailable'" not in each] for language, calls in failed.items()
            }
        assert failed == dict.fromkeys(AGENTS, [])
        # Replace the token: the server rejects the old token and accepts the new token.
        operator.tokens("second-token-0123456789", "console-token-0123456789")
        operator.reload("token-file")
        assert operator.shell("get", "kept", token=token).returncode != 0
        assert operator.shell("get", "kept", token="second-token-0123456789").stdout == "through the upgrade\n"
        operator.stop()
        # The snapshot is readable only by its owner and contains no secret.
        assert (tmp_path / "cache.snapshot").stat().st_mode & 0o077 == 0
        log = log_of(tmp_path).read_text()
        assert token not in log and "second-token" not in log and "console-token-0" not in log
