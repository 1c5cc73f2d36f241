"""Tests of a rolling restart under load, and of the program that calls meanwhile."""

from __future__ import annotations

import re
import subprocess
import time
from pathlib import Path

from fleet import Fleet, Size
from load import Counts, Load
from rolling import SLOTS
from test_fleet import HANG_S, ROOT, Run

SERVER = ROOT / "server" / "src" / "Larder.Server" / "bin" / "Release" / "net10.0" / "larder-server.dll"


def test_rolling_restart_of_every_process_fails_no_call(tmp_path: Path) -> None:
    run = Run(tmp_path, "--rolling-restart")
    table, errors = run.process.communicate(timeout=4 * HANG_S)
    assert run.process.returncode == 0, table + errors
    rows = re.findall(r"^(\S.*?) {2,}(?:[\d.]+ s +)?([\d,]+) +(\d+) +(\d+) +[\d,]+ ms$", table, re.M)
    kinds = [re.sub(r" \S+:\d+$", "", name) for name, *_ in rows]
    assert kinds == [
        "before",
        *3 * ["restart replica"],
        *3 * ["hand over and restart master"],
        *2 * ["restart gateway"],
        f"redis-cli --cluster reshard, {SLOTS} slots",
        "after",
        "total",
    ]
    assert len({name for name, *_ in rows}) == len(rows)
    assert [int(calls.replace(",", "")) for _, calls, *_ in rows if int(calls.replace(",", "")) < 200] == []
    assert {(failed, lost) for _, _, failed, lost in rows} == {("0", "0")}
    assert list(tmp_path.iterdir()) == []


def test_load_counts_lost_values_and_failed_calls() -> None:
    def calls(load: Load, number: int) -> Counts:
        limit = time.monotonic() + HANG_S
        while load.calls < number:
            assert time.monotonic() < limit
            time.sleep(0.01)
        return load.take()

    with Fleet(Size(1, 0, 1), SERVER) as fleet:
        fleet.start()
        with Load(fleet.url) as load:
            counts = calls(load, 8 * 500)
            assert (counts.failed, counts.lost) == (0, 0)
            [node] = fleet.nodes
            subprocess.run(["redis-cli", "-p", str(node.port), "flushall"], check=True, stdout=subprocess.DEVNULL)
            assert calls(load, 2_000).lost > 0
            subprocess.run(
                ["redis-cli", "-p", str(node.port), "acl", "setuser", "default", "-set"],
                check=True,
                stdout=subprocess.DEVNULL,
            )
            assert calls(load, 2_000).failed > 0
