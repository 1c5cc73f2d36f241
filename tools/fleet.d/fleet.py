"""The fleet: starts, watches, describes and stops its processes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from child import start
from gateway import Gateway
from redis_node import RedisNode, Role, free_ports, read_roles

START_S = 60.0
# The time until a draining gateway is killed. A healthy gateway drains for at most 4 s.
DRAIN_S = 6.0
LOOK_S = 0.05
WATCH_S = 0.5

Member = TypeVar("Member", RedisNode, Gateway)


class FleetError(Exception):
    """The fleet cannot be started. The message contains the reason."""


class Stopped(Exception):
    """A stop was requested."""


@dataclass(frozen=True, slots=True)
class Size:
    """The numbers of masters, replicas per master and gateways. A single master runs without cluster mode."""

    masters: int
    replicas: int
    gateways: int


class Fleet:
    """Redis nodes, gateways and one temporary folder.

    Leaving the context stops the processes and removes the folder.
    """

    def __init__(self, size: Size, server: Path) -> None:
        self.size = size
        self.server = server
        self.nodes: list[RedisNode] = []
        self.gateways: list[Gateway] = []
        self._roles: dict[int, Role] = {}
        self._ended: set[int] = set()
        self._is_stopping = False
        self._join: subprocess.Popen[bytes] | None = None
        self.folder = Path()

    def __enter__(self) -> Fleet:
        self.folder = Path(tempfile.mkdtemp(prefix="larder-fleet-"))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def stop(self) -> None:
        """Request a stop; may be called from a signal handler."""
        self._is_stopping = True

    def start(self) -> None:
        """Start the nodes, form the cluster and start the gateways. Waits until all of these processes respond."""
        is_cluster = self.size.masters > 1
        for port in free_ports(self.size.masters * (1 + self.size.replicas)):
            self._check()
            self.nodes.append(RedisNode(port, self.folder, is_cluster))
        self._until_all("redis-server", self.nodes, RedisNode.is_ready)
        if is_cluster:
            self._form()
            replicas = self.size.masters * self.size.replicas
            self._until_all("the cluster", self.nodes, lambda node: node.is_joined(replicas))
        self._roles = self._ask_roles()
        for number in range(1, self.size.gateways + 1):
            self._check()
            self.gateways.append(Gateway(number, self.folder, self.server, self.store))
        self._until_all("a gateway", self.gateways, Gateway.is_ready)

    def until_ready(self) -> None:
        """Wait until the cluster works, every replica has copied its master, and every gateway is ready."""
        replicas = self.size.masters * self.size.replicas
        self._until_all("redis-server", self.nodes, RedisNode.is_ready)
        self._until_all("the cluster", self.nodes, lambda node: node.is_joined(replicas))
        self._until_all("a gateway", self.gateways, Gateway.is_ready)

    def is_master(self, node: RedisNode) -> bool:
        """Return whether a node is a master now."""
        return self._ask_roles()[node.port].is_master

    def hand_over(self, node: RedisNode) -> None:
        """Let a replica of a master take over. The master completes its writes first, so none is lost."""
        roles = self._ask_roles()
        replica = next(each for each in self.nodes if roles[each.port].master_port == node.port)
        answer = replica.ask("CLUSTER FAILOVER")
        if not answer.startswith("OK"):
            raise FleetError(f"{replica.address} cannot take over from {node.address}: {answer.strip()}")
        self.until(f"the failover to {replica.address}", lambda: not self.is_master(node) and self.is_master(replica))

    def until(self, what: str, is_so: Callable[[], bool]) -> None:
        """Wait for a condition. Raises FleetError after a minute, and Stopped if a stop was requested."""
        self._until(what, None, is_so)

    @property
    def store(self) -> str:
        """Return the store URL of the gateways."""
        return "redis://" + ",".join(node.address for node in self.nodes)

    @property
    def url(self) -> str:
        """Return the URL for clients."""
        return ",".join(gateway.url for gateway in self.gateways)

    def run(self, words: list[str]) -> int:
        """Run a command with the addresses in its environment until it ends or must stop; return its exit code."""
        environment = {**os.environ, "LARDER_URL": self.url, "LARDER_STORE": self.store}
        try:
            command = subprocess.Popen(words, env=environment)
        except OSError as error:
            raise FleetError(f"{words[0]} cannot be started: {error.strerror}") from error
        while command.poll() is None and not self._is_stopping:
            time.sleep(LOOK_S)
        command.terminate()
        try:
            command.wait(DRAIN_S)
        except subprocess.TimeoutExpired:
            command.kill()
            command.wait()
        # If a signal ended the process, return the same exit code as a shell, which is 128 plus the signal's number.
        return command.returncode if command.returncode >= 0 else 128 - command.returncode

    def description(self) -> str:
        """Return the URL for clients and a list of the processes.

        The list has the role and the pid of each process, and the command that kills it.
        """
        rows = [
            ("gateway", gateway.url, f"console {gateway.console}", gateway.process.pid) for gateway in self.gateways
        ]
        for node in self.nodes:
            role = self._roles.get(node.port)
            if role is None:
                rows.append(("server", node.address, "no cluster", node.process.pid))
            elif role.is_master:
                rows.append(("master", node.address, f"slots {role.slots}", node.process.pid))
            else:
                rows.append(("replica", node.address, f"of 127.0.0.1:{role.master_port}", node.process.pid))
        lines = [f"{kind:8}{where:23}{what:34}pid {pid:<9}kill -9 {pid}" for kind, where, what, pid in rows]
        return "\n".join([f"LARDER_URL={self.url}", "", *lines, "", f"Logs and data: {self.folder}"])

    def watch(self, say: Callable[[str], None]) -> None:
        """Report processes that end and nodes that change their role, until a stop is requested."""
        while not self._is_stopping:
            time.sleep(WATCH_S)
            for name, process in self._processes():
                if process.poll() is not None and process.pid not in self._ended:
                    self._ended.add(process.pid)
                    say(f"{name} (pid {process.pid}) has ended")
            for port, role in self._ask_roles().items():
                before = self._roles.get(port)
                if before is not None and before.is_master != role.is_master:
                    say(f"127.0.0.1:{port} is now a {f'master of slots {role.slots}' if role.is_master else 'replica'}")
                self._roles[port] = role

    def _form(self) -> None:
        words = ["redis-cli", "--cluster", "create", *(node.address for node in self.nodes)]
        words += ["--cluster-replicas", str(self.size.replicas), "--cluster-yes"]
        log = self.folder / "cluster.log"
        join = self._join = start(words, log)
        self._until("redis-cli --cluster create", log, lambda: join.poll() is not None)
        if join.returncode != 0:
            raise FleetError(f"redis-cli could not create the cluster:\n{log.read_text()}")

    def _ask_roles(self) -> dict[int, Role]:
        if self.size.masters == 1:
            return {}
        answers = (node.ask("CLUSTER NODES") for node in self.nodes if node.process.poll() is None)
        return read_roles(next(filter(None, answers), ""))

    def _processes(self) -> list[tuple[str, subprocess.Popen[bytes]]]:
        return [(gateway.url or "a gateway", gateway.process) for gateway in self.gateways] + [
            (node.address, node.process) for node in self.nodes
        ]

    def _until_all(self, what: str, members: list[Member], is_so: Callable[[Member], bool]) -> None:
        for member in members:

            def is_done(member: Member = member) -> bool:
                if member.process.poll() is not None:
                    raise FleetError(f"{what} exited during its start:\n{member.log.read_text()}")
                return is_so(member)

            self._until(what, member.log, is_done)

    def _until(self, what: str, log: Path | None, is_so: Callable[[], bool]) -> None:
        limit = time.monotonic() + START_S
        while not is_so():
            self._check()
            if time.monotonic() > limit:
                end = f":\n{log.read_text()}" if log else ""
                raise FleetError(f"{what} was not ready within {START_S:.0f} s{end}")
            time.sleep(LOOK_S)

    def _check(self) -> None:
        if self._is_stopping:
            raise Stopped

    def _end(self) -> None:
        """Drain the gateways and kill the nodes.

        SIGKILL is safe because the nodes save nothing, and paused nodes ignore other signals.
        """
        for gateway in self.gateways:
            gateway.process.terminate()
        limit = time.monotonic() + DRAIN_S
        for gateway in self.gateways:
            try:
                gateway.process.wait(max(0.0, limit - time.monotonic()))
            except subprocess.TimeoutExpired:
                pass
        joins = [self._join] if self._join else []
        for process in [*(process for _, process in self._processes()), *joins]:
            process.send_signal(signal.SIGKILL)
            process.wait()
        shutil.rmtree(self.folder)
