"""Checks the files in `deploy/` for Docker, systemd and Kubernetes with the available tools and a server."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tomllib
from installed import LISTENING, answer, environment, run, started

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
DOCKERFILE = (DEPLOY / "docker" / "Dockerfile").read_text()
UNIT = DEPLOY / "systemd" / "larder.service"
VERSION = re.findall("<Version>(.*)</Version>", (ROOT / "Directory.Build.props").read_text())[0]


def _documents(name: str) -> list[dict[str, Any]]:
    yaml = pytest.importorskip("yaml")
    return list(yaml.safe_load_all((DEPLOY / name).read_text()))


def _copied() -> list[tuple[list[str], str]]:
    """Return the sources and destinations that the build stage copies from the checkout."""
    lines = [line.split()[1:] for line in DOCKERFILE.splitlines() if line.startswith("COPY ") and "--from" not in line]
    return [(words[:-1], words[-1]) for words in lines]


def test_image_copies_only_existing_files() -> None:
    sources = [source for names, _ in _copied() for source in names]
    assert len(sources) > 10
    assert [source for source in sources if not (ROOT / source).exists()] == []


def test_image_runs_as_unprivileged_user_with_token() -> None:
    last = DOCKERFILE.split("\nFROM ")[-1]
    assert re.findall(r"^USER (.*)", last, re.M) == ["1654"]
    assert re.findall(r"^ENTRYPOINT (.*)", last, re.M) == ['["dotnet", "/opt/larder/larder.dll"]']
    [command] = re.findall(r"^CMD (.*)", last, re.M)
    assert json.loads(command) == ["serve", "--config", "/etc/larder/larder.toml"]
    assert "COPY deploy/docker/larder.toml /etc/larder/larder.toml" in last
    settings = tomllib.loads((DEPLOY / "docker" / "larder.toml").read_text())
    assert settings == {"host": "0.0.0.0", "token-file": "/run/secrets/larder-token"}


@pytest.mark.skipif("LARDER_LONG" not in os.environ, reason="builds the tool anew: ./larder test --long")
def test_image_publish_step_needs_only_copied_files(tmp_path: Path) -> None:
    for names, target in _copied():
        for name in names:
            if (ROOT / name).is_dir():
                shutil.copytree(
                    ROOT / name, tmp_path / target, ignore=shutil.ignore_patterns("bin", "obj", "node_modules")
                )
            else:
                (tmp_path / target).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, tmp_path / target)
    [step] = re.findall(r"^RUN (dotnet publish .*) /opt/larder$", DOCKERFILE, re.M)
    done = subprocess.run([*step.split(), "out"], cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout
    assert run(tmp_path, "dotnet", "out/larder.dll", "--version") == f"larder {VERSION}\n"
    assert (tmp_path / "out" / "larder-server.runtimeconfig.json").is_file()


def test_health_check_detects_stopped_server(server: tuple[str, str]) -> None:
    check = ["bash", str(DEPLOY / "docker" / "healthcheck")]
    assert subprocess.run([*check, server[1].rsplit(":", 1)[1]], timeout=30).returncode == 0
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        gone = subprocess.run([*check, str(taken.getsockname()[1])], capture_output=True, timeout=30)
    assert gone.returncode == 1


def test_compose_file_runs_image_read_only_without_privileges() -> None:
    [compose] = _documents("docker/compose.yaml")
    service = compose["services"]["larder"]
    folder = DEPLOY / "docker"
    assert (folder / service["build"]["context"] / service["build"]["dockerfile"]).resolve() == folder / "Dockerfile"
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    [secret] = service["secrets"]
    assert f"/run/secrets/{secret}" in (folder / "larder.toml").read_text()
    assert secret in compose["secrets"]


def _options(command: list[str]) -> set[str]:
    return {word.split("=")[0] for word in command if word.startswith("--")}


def test_deployed_options_exist_in_server(tool: Path, tmp_path: Path) -> None:
    known = run(tool.parent, tool, "serve", "--help")
    deployment = _documents("kubernetes/larder.yaml")[0]
    args = _options(deployment["spec"]["template"]["spec"]["containers"][0]["args"])
    assert args and [option for option in args if f"  {option} " not in known] == []
    [compose] = _documents("docker/compose.yaml")
    variables = compose["services"]["larder"]["environment"]
    for source in (DEPLOY / "docker" / "larder.toml", ROOT / "packaging/linux/larder.toml"):
        printed = subprocess.run(
            [tool, "serve", "--config", source, "--print-config"],
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert f"{source.name}:" in printed
        assert re.search(r'^memory = "1g" +# LARDER_SERVE_MEMORY$', printed, re.M)
    # The commented settings of the example are valid too.
    lines = (ROOT / "packaging/linux/larder.toml").read_text().splitlines()
    example = "\n".join(re.sub(r"^# (?=[a-z-]+ = )", "", line) for line in lines)
    (tmp_path / "all.toml").write_text(example)
    printed = run(tmp_path, tool, "serve", "--config", "all.toml", "--print-config")
    assert f'tls-key = "{tmp_path}/server.key"' in printed
    assert len(re.findall(r"# all\.toml:\d+$", printed, re.M)) == 9


def test_deployment_has_no_privileges_and_declares_resources() -> None:
    deployment, service = _documents("kubernetes/larder.yaml")
    pod = deployment["spec"]["template"]["spec"]
    [container] = pod["containers"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["runAsUser"] == 1654
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert {"cpu", "memory"} <= set(container["resources"]["requests"])
    assert "memory" in container["resources"]["limits"]
    assert container["image"] == f"larder:{VERSION}"
    assert deployment["spec"]["selector"]["matchLabels"] == deployment["spec"]["template"]["metadata"]["labels"]
    assert service["spec"]["selector"] == deployment["spec"]["template"]["metadata"]["labels"]
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert ports == {"data": 8080, "console": 8081}
    assert {port["targetPort"] for port in service["spec"]["ports"]} <= set(ports)
    [mount] = container["volumeMounts"]
    assert mount["name"] in {volume["name"] for volume in pod["volumes"]}


def test_probes_succeed_against_running_server(server: tuple[str, str]) -> None:
    [container] = _documents("kubernetes/larder.yaml")[0]["spec"]["template"]["spec"]["containers"]
    asked = {probe: container[probe]["httpGet"] for probe in ("startupProbe", "livenessProbe", "readinessProbe")}
    assert {ask["port"] for ask in asked.values()} == {"console"}
    for ask in asked.values():
        assert answer(server[1] + ask["path"]) == "ok\n"


def _unit(tool: Path, folder: Path) -> Path:
    """Return the path of a copy of the unit in which only the path of the tool differs."""
    text = UNIT.read_text()
    assert text.count("ExecStart=/usr/bin/larder ") == 1
    unit = folder / UNIT.name
    unit.write_text(text.replace("ExecStart=/usr/bin/larder ", f"ExecStart={tool} "))
    return unit


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze")
def test_systemd_accepts_the_unit_file(tool: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", _unit(tool, tmp_path)], capture_output=True, text=True, timeout=60
    )
    # If systemd is not running, systemd-analyze may also report faults in the system's own units.
    assert (done.returncode, [line for line in done.stderr.splitlines() if "larder" in line]) == (0, [])


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze")
def test_systemd_analyze_rates_unit_exposure_as_low(tool: Path, tmp_path: Path) -> None:
    # The exposure in tenths: 0 means fully restricted, 100 means no restriction.
    command = ["systemd-analyze", "security", "--no-pager", "--offline=yes", "--threshold=20", _unit(tool, tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """A notification socket like systemd's, which also reports the sender."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        heard.bind(str(tmp_path / "notify"))
        heard.settimeout(30)
        yield heard


def _hear(manager: socket.socket) -> tuple[str, int]:
    data, ancillary, _, _ = manager.recvmsg(1024, socket.CMSG_SPACE(struct.calcsize("3i")))
    [(_, _, credentials)] = ancillary
    return data.decode(), struct.unpack("3i", credentials)[0]


def test_serve_notifies_systemd_when_ready_reloading_and_stopping(tool: Path, manager: socket.socket) -> None:
    folder = Path(manager.getsockname()).parent
    environ = environment(folder) | {"NOTIFY_SOCKET": manager.getsockname()}
    with (folder / "log").open("w") as log:
        command = [tool, "serve", "--port", "0", "--console-port", "0", "--memory", "64m"]
        process = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL, stderr=log)
    try:
        # systemd accepts notifications only from the main process, because Type=notify implies NotifyAccess=main.
        assert _hear(manager) == ("READY=1", process.pid)
        process.send_signal(signal.SIGHUP)
        reloading, _ = _hear(manager)
        assert re.fullmatch(r"RELOADING=1\nMONOTONIC_USEC=\d+", reloading)
        assert _hear(manager) == ("READY=1", process.pid)
        process.terminate()
        assert _hear(manager) == ("STOPPING=1", process.pid)
        assert process.wait(timeout=30) == 0
    finally:
        process.kill()
        process.wait()


def test_server_without_diagnostics_creates_no_temporary_files(tool: Path, tmp_path: Path) -> None:
    folder = tmp_path / "tmp"
    folder.mkdir()
    command = ["env", "DOTNET_EnableDiagnostics=0", f"TMPDIR={folder}", str(tool)]
    with started(tmp_path, LISTENING, *command, "serve", "--port", "0", "--console-port", "0", "--memory", "64m"):
        assert list(folder.iterdir()) == []
