"""One redis-server of the fleet, and the cluster's view of its nodes."""

from __future__ import annotations

import random
import socket
from dataclasses import dataclass
from pathlib import Path

from child import start

HOST = "127.0.0.1"
SETTINGS = Path(__file__).parents[2] / "server" / "redis.conf"
# The number that Redis adds to a node's port to get its cluster bus port.
BUS = 10_000
# The memory limit of one node. It is small because this fleet is for experiments.
MAX_MEMORY = "256mb"
ANSWER_S = 1.0


@dataclass(frozen=True, slots=True)
class Role:
    """The role of a node in its cluster. A master serves slots. A replica copies the node at `master_port`."""

    is_master: bool
    slots: str
    master_port: int | None


class RedisNode:
    """A process of redis-server on a free loopback port, with a separate folder."""

    def __init__(self, port: int, folder: Path, is_cluster: bool) -> None:
        self.port = port
        self.address = f"{HOST}:{port}"
        self.log = folder / f"redis-{port}.log"
        data = folder / str(port)
        data.mkdir()
        words = ["redis-server", str(SETTINGS), "--bind", HOST, "--port", str(port), "--dir", str(data)]
        words += ["--cluster-enabled", "yes" if is_cluster else "no", "--maxmemory", MAX_MEMORY]
        # Do not wait for further replicas, so that a new replica synchronizes immediately.
        words += ["--repl-diskless-sync-delay", "0"]
        self._words = words
        self.process = start(words, self.log)

    def restart(self) -> None:
        """End the process, and start it again. It keeps its identity, and loses its items."""
        self.process.terminate()
        self.process.wait()
        self.process = start(self._words, self.log)

    def ask(self, words: str) -> str:
        """Return the response to a command; empty if the node does not respond."""
        try:
            with socket.create_connection((HOST, self.port), ANSWER_S) as link, link.makefile("rb") as answer:
                link.settimeout(ANSWER_S)
                link.sendall(words.encode() + b"\r\n")
                line = answer.readline()
                return (answer.read(int(line[1:])) if line[:1] == b"$" else line[1:]).decode()
        except OSError:
            return ""

    def is_ready(self) -> bool:
        """Return whether the node responds."""
        return self.ask("PING").startswith("PONG")

    def is_joined(self, replicas: int) -> bool:
        """Return whether the node accepts calls and its cluster has this many replicas.

        A replica must also be synchronized.
        """
        known = sum(not role.is_master for role in read_roles(self.ask("CLUSTER NODES")).values())
        is_in_step = "master_link_status:down" not in self.ask("INFO replication")
        return known == replicas and is_in_step and "cluster_state:ok" in self.ask("CLUSTER INFO")


def read_roles(nodes: str) -> dict[int, Role]:
    """Return the roles by port from the response to CLUSTER NODES."""
    rows = [line.split(" ") for line in nodes.splitlines() if line.strip()]
    ports = {row[0]: int(row[1].split("@")[0].rpartition(":")[2]) for row in rows}
    return {
        ports[row[0]]: Role(
            is_master="master" in row[2].split(","),
            slots=" ".join(slots for slots in row[8:] if not slots.startswith("[")),
            master_port=ports.get(row[3]),
        )
        for row in rows
    }


def free_ports(count: int) -> list[int]:
    """Return distinct ports that are free and whose cluster bus port is free."""
    taken: set[int] = set()
    found: list[int] = []
    while len(found) < count:
        port = random.randrange(11_000, 21_000)
        if not {port, port + BUS} & taken and _is_free(port) and _is_free(port + BUS):
            taken |= {port, port + BUS}
            found.append(port)
    return found


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
        return True
