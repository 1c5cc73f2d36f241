"""./larder lab shell: measures one get from the shell, and the start of a server, for native and .NET builds.

Each round runs all commands in order and then in reverse order (A B B A). `./larder pack native` builds the native
program.
"""

from __future__ import annotations

import argparse
import mmap
import os
import re
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[4]
SERVER = ROOT / "server/src/Larder.Server/bin/Release/net10.0/larder-server.dll"
BUILT = ROOT / "clients/dotnet/cli/Larder.Cli/bin/Release/net10.0"
NATIVE = ROOT / "artifacts/native/publish/Larder.Native"
LISTENING = re.compile(r"listening on (http://\S+)")
MIB = 1024 * 1024


def native() -> Path | None:
    """Return the path of the native program for this machine, or None if it is not built."""
    machine = {"x86_64": "x64", "aarch64": "arm64"}.get(os.uname().machine)
    path = NATIVE / f"release_linux-{machine}" / "larder"
    return path if path.is_file() else None


def commands() -> dict[str, list[str]]:
    """Return the commands to measure, each under its name in the printed table.

    They are the `./larder get` that users type, and commands that do only a part of its work.
    """
    found: dict[str, list[str]] = {}
    if program := native():
        found["larder get, native"] = [str(program), "get", "greeting"]
        found["larder --version, native: runtime, no call"] = [str(program), "--version"]
    found["./larder get (launcher and program)"] = [str(ROOT / "larder"), "get", "greeting"]
    compiled = BUILT / "publish-shell" / "Larder.Cli.dll"
    if compiled.exists():
        found["the program, compiled ahead"] = ["dotnet", str(compiled), "get", "greeting"]
        found["its --version: runtime and command line, no call"] = ["dotnet", str(compiled), "--version"]
    plain = BUILT / "Larder.Cli.dll"
    if plain.exists():
        found["the program, compiled as it runs"] = ["dotnet", str(plain), "get", "greeting"]
    if redis := shutil.which("redis-cli"):
        found["redis-cli --version: a program in C that does nothing"] = [redis, "--version"]
    return found


def servers() -> dict[str, list[str]]:
    """Return the commands that start the servers to measure, each under its name in the printed tables."""
    found = {"native": [str(program), "serve"]} if (program := native()) else {}
    return found | {".NET, compiled as it runs": ["dotnet", str(SERVER)]}


def once(command: list[str], environment: dict[str, str]) -> tuple[float, float, float]:
    """Run a command. Return its duration and its processor time, both in milliseconds, and its minor page faults."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    taken = (time.perf_counter() - begin) * 1_000
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return taken, (usage.ru_utime + usage.ru_stime) * 1_000, usage.ru_minflt


def fault_us() -> float:
    """Return the duration of one page fault of this machine in microseconds, the least of several measurements."""
    size = 16 * MIB
    pages = size // mmap.PAGESIZE
    least = float("inf")
    for _ in range(5):
        with mmap.mmap(-1, size) as memory:
            if hasattr(mmap, "MADV_NOHUGEPAGE"):
                memory.madvise(mmap.MADV_NOHUGEPAGE)
            durations = []
            # The first pass has a fault in each page. The second pass measures the loop itself.
            for _ in range(2):
                begin = time.perf_counter()
                for page in range(0, size, mmap.PAGESIZE):
                    memory[page] = 1
                durations.append(time.perf_counter() - begin)
            least = min(least, durations[0] - durations[1])
    return least / pages * 1e6


def start(command: list[str]) -> tuple[subprocess.Popen[str], str, float]:
    """Start a server and wait until it listens. Return its process, its address, and the wait in milliseconds."""
    begin = time.perf_counter()
    server = subprocess.Popen(
        [*command, "--port", "0", "--console-port", "0", "--memory", "64m"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout
    address = LISTENING.search(server.stdout.readline())
    taken = (time.perf_counter() - begin) * 1_000
    assert address, "the server's first line has its address"
    return server, address[1], taken


def stop(server: subprocess.Popen[str]) -> None:
    server.terminate()
    server.communicate()


def started(command: list[str]) -> tuple[float, float, float, float]:
    """Start a server, measure it, and stop it.

    Return the milliseconds until it listened, the processor time in milliseconds and the minor page faults until then,
    and its resident memory in MiB one second later.
    """
    server, _, taken = start(command)
    threads = Path(f"/proc/{server.pid}/task").glob("*/schedstat")
    worked = sum(int(thread.read_text().split()[0]) for thread in threads) / 1e6
    # The columns of stat follow the program's name, which is in parentheses and may contain spaces.
    faults = int(Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()[7])
    time.sleep(1)
    resident = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{server.pid}/status").read_text())
    stop(server)
    assert resident
    return taken, worked, faults, int(resident[1]) / 1024


def alternate(names: list[str], runs: int, measure: Callable[[str], None]) -> None:
    """Call `measure` for all names in order, then in reverse order, and so on: `runs` times in total for each name."""
    for run in range(runs):
        for name in names if run % 2 == 0 else reversed(names):
            measure(name)


def column(measured: Mapping[str, Sequence[tuple[float, ...]]], index: int) -> dict[str, list[float]]:
    return {name: [each[index] for each in rows] for name, rows in measured.items()}


def table(title: str, taken: dict[str, list[float]]) -> None:
    print(f"{title:56} {'least':>7} {'median':>7} {'most':>7}")
    for name, each in taken.items():
        print(f"{name:56} {min(each):7.1f} {statistics.median(each):7.1f} {max(each):7.1f}")
    print()


def main() -> None:
    parser = argparse.ArgumentParser(prog="larder lab shell", description=__doc__)
    parser.add_argument("--runs", type=int, default=20, help="times that each is run (20)")
    runs = parser.parse_args().runs
    load = os.getloadavg()[0]
    server, address, _ = start(["dotnet", str(SERVER)])
    try:
        environment = os.environ | {"LARDER_URL": address}
        subprocess.run([str(ROOT / "larder"), "set", "greeting", "hello"], env=environment, check=True)
        timed = commands()
        taken: dict[str, list[tuple[float, float, float]]] = {name: [] for name in timed}
        alternate(list(timed), runs, lambda name: taken[name].append(once(timed[name], environment)))
    finally:
        stop(server)
    table(f"one command, ms, {runs} runs", column(taken, 0))
    table("its processor time, ms", column(taken, 1))
    table("its minor page faults", column(taken, 2))
    programs = servers()
    starts: dict[str, list[tuple[float, float, float, float]]] = {name: [] for name in programs}
    alternate(list(programs), runs, lambda name: starts[name].append(started(programs[name])))
    table(f"a server until it listens, ms, {runs} runs", column(starts, 0))
    table("its processor time until then, ms", column(starts, 1))
    table("its minor page faults until then", column(starts, 2))
    table("its resident memory one second later, MiB", column(starts, 3))
    print(f"one page fault on this machine: {fault_us():.2f} µs")
    if program := native():
        print(f"the native program: {program.stat().st_size / MIB:.1f} MiB")
    for package in sorted([*ROOT.glob("dist/larder-*-linux-*.tar.gz"), *ROOT.glob("dist/larder_*.deb")]):
        print(f"{package.name}: {package.stat().st_size / MIB:.1f} MiB")
    print(f"{os.cpu_count()} processors, load average {load:.1f} at the start and {os.getloadavg()[0]:.1f} at the end")


main()
