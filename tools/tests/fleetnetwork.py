"""Runs the containers of deploy/kubernetes/fleet as processes in a network of their own, without Kubernetes.

Each pod has a loopback address. The names of the pods and services are in the hosts file of the network.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

HANG_S = 60.0


class Network:
    """A network and a hosts file that only its processes see."""

    def __init__(self, prefix: tuple[str, ...], hosts: Path) -> None:
        self._prefix = prefix
        self._hosts = hosts
        self._names: dict[str, list[str]] = {"localhost": ["127.0.0.1"]}

    def name(self, name: str, *addresses: str) -> None:
        """Let a name resolve to these addresses."""
        self._names[name] = list(addresses)
        lines = [f"{address} {name}\n" for name, addresses in self._names.items() for address in addresses]
        # The file is bind-mounted, so it must not be replaced by another file.
        self._hosts.write_text("".join(lines))

    def start(
        self, command: list[str], log: Path, environment: Mapping[str, str], folder: Path | None = None
    ) -> subprocess.Popen[bytes]:
        with log.open("ab") as output:
            words = [*self._prefix, f"--wd={folder or log.parent}", *command]
            return subprocess.Popen(
                words, env=dict(environment), stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )

    def run(self, command: list[str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*self._prefix, *command], env=dict(environment), capture_output=True, text=True, timeout=HANG_S
        )


@contextmanager
def network(folder: Path) -> Iterator[Network]:
    """Create a network, or skip the test if this is not permitted."""
    hosts = folder / "hosts"
    hosts.write_text("127.0.0.1 localhost\n")
    prepare = f"ip link set lo up && mount --bind '{hosts}' /etc/hosts && echo up && exec sleep infinity"
    holder = subprocess.Popen(
        ["unshare", "--net", "--mount", "sh", "-c", prepare],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert holder.stdout is not None
    try:
        if holder.stdout.readline() != "up\n":
            pytest.skip("no new network and mounts: needs CAP_SYS_ADMIN and iproute2")
        yield Network(("nsenter", f"--target={holder.pid}", "--net", "--mount"), hosts)
    finally:
        holder.kill()
        holder.communicate()


def variables(container: dict[str, Any], address: str, secrets: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return the environment of a container, as Kubernetes sets it."""
    found = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
    for each in container.get("env", []):
        source = each.get("valueFrom", {})
        if "secretKeyRef" in source:
            found[each["name"]] = secrets[source["secretKeyRef"]["name"]][source["secretKeyRef"]["key"]]
        elif source:
            assert source == {"fieldRef": {"fieldPath": "status.podIP"}}
            found[each["name"]] = address
        else:
            found[each["name"]] = re.sub(r"\$\((\w+)\)", lambda name: found[name[1]], each["value"])
    return found
