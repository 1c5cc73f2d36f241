"""A rolling restart of the fleet under load: every process is restarted, one at a time."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from fleet import Fleet, FleetError
from load import Counts, Load
from redis_node import RedisNode

# The number of calls that must succeed between two steps, so that each step runs under load.
BETWEEN = 200
# The number of slots that the last step moves from one master to another.
SLOTS = 300
TITLE = f"{'step':52}{'took':>9}{'calls':>9}{'failed':>8}{'lost':>6}{'longest':>10}"


class RollingRestart:
    """Restarts replicas, masters and gateways, and moves slots, while a program calls."""

    def __init__(self, fleet: Fleet, say: Callable[[str], None]) -> None:
        self._fleet = fleet
        self._say = say
        self._total = Counts()

    def run(self) -> int:
        """Run all steps and print a table. Returns the number of failed calls and lost values."""
        self._say(TITLE)
        with Load(self._fleet.url) as load:
            with self._step(load, "before"):
                pass
            # Restart the replicas first, so that each master has a replica that is up to date when it hands over.
            masters = [node for node in self._fleet.nodes if self._fleet.is_master(node)]
            for node in [node for node in self._fleet.nodes if node not in masters]:
                with self._step(load, f"restart replica {node.address}"):
                    self._restart(node)
            for node in masters:
                with self._step(load, f"hand over and restart master {node.address}"):
                    self._fleet.hand_over(node)
                    self._restart(node)
            for gateway in self._fleet.gateways:
                with self._step(load, f"restart gateway {gateway.url}"):
                    gateway.restart()
                    self._fleet.until_ready()
            with self._step(load, f"redis-cli --cluster reshard, {SLOTS} slots"):
                self._reshard()
            # No call may fail after the last step either.
            with self._step(load, "after"):
                pass
        total = self._total
        self._say(_row("total", 0.0, total))
        for error in total.errors[:5]:
            self._say(f"failed: {error}")
        return total.failed + total.lost

    def _restart(self, node: RedisNode) -> None:
        node.restart()
        self._fleet.until_ready()

    def _reshard(self) -> None:
        first, second, *_ = (node for node in self._fleet.nodes if self._fleet.is_master(node))
        words = [
            "redis-cli",
            "--cluster",
            "reshard",
            first.address,
            "--cluster-from",
            first.ask("CLUSTER MYID").strip(),
        ]
        words += ["--cluster-to", second.ask("CLUSTER MYID").strip(), "--cluster-slots", str(SLOTS), "--cluster-yes"]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 0:
            raise FleetError(f"redis-cli could not move the slots:\n{done.stdout}{done.stderr}")

    @contextmanager
    def _step(self, load: Load, name: str) -> Iterator[None]:
        start = time.monotonic()
        yield
        took = time.monotonic() - start
        enough = load.calls + BETWEEN
        self._fleet.until("the program", lambda: not load.is_running or load.calls >= enough)
        if not load.is_running:
            raise FleetError("the program that uses the fleet has ended")
        counts = load.take()
        self._say(_row(name, took, counts))
        self._total.calls += counts.calls
        self._total.failed += counts.failed
        self._total.lost += counts.lost
        self._total.longest_s = max(self._total.longest_s, counts.longest_s)
        self._total.errors += counts.errors


def _row(name: str, took: float, counts: Counts) -> str:
    duration = f"{took:.1f} s" if took else ""
    longest = f"{counts.longest_s * 1_000:,.0f} ms"
    return f"{name:52}{duration:>9}{counts.calls:>9,}{counts.failed:>8}{counts.lost:>6}{longest:>10}"
