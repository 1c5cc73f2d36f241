"""./larder lab shell: measures one get from the shell, from the start of the program to its exit, with each command in turn."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).parents[4]
SERVER = ROOT / "server/src/Larder.Server/bin/Release/net10.0/larder-server.dll"
BUILT = ROOT / "clients/dotnet/cli/Larder.Cli/bin/Release/net10.0"


def commands() -> dict[str, list[str]]:
    """Return the commands to measure by name: the command that users type, and its parts."""
    compiled = BUILT / "publish-shell" / "Larder.Cli.dll"
    found = {"./larder get (launcher and program)": [str(ROOT / "larder"), "get", "greeting"]}
    if compiled.exists():
        found["the program, compiled ahead"] = ["dotnet", str(compiled), "get", "greeting"]
        found["its --version: runtime and command line, no call"] = ["dotnet", str(compiled), "--version"]
    plain = BUILT / "Larder.Cli.dll"
    if plain.exists():
        found["the program, compiled as it runs"] = ["dotnet", str(plain), "get", "greeting"]
    return found


def once(command: list[str], environment: dict[str, str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return (time.perf_counter() - begin) * 1_000


def main() -> None:
    parser = argparse.ArgumentParser(prog="larder lab shell", description=__doc__)
    parser.add_argument("--runs", type=int, default=21, help="times that each is run (21)")
    runs = parser.parse_args().runs
    server = subprocess.Popen(
        ["dotnet", str(SERVER), "--port", "0", "--console-port", "0", "--memory", "64m"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert server.stdout
        address = re.search(r"listening on (http://\S+)", server.stdout.readline())
        assert address, "the server's first line names its address"
        environment = os.environ | {"LARDER_URL": address[1]}
        timed = commands()
        if redis := shutil.which("redis-cli"):
            timed["redis-cli --version: a program in C that does nothing"] = [redis, "--version"]
        subprocess.run([str(ROOT / "larder"), "set", "greeting", "hello"], env=environment, check=True)
        taken: dict[str, list[float]] = {name: [] for name in timed}
        for _ in range(runs):
            for name, command in timed.items():
                taken[name].append(once(command, environment))
        print(f"{'ms, ' + str(runs) + ' runs':56} {'least':>7} {'median':>7} {'most':>7}")
        for name, each in taken.items():
            print(f"{name:56} {min(each):7.1f} {statistics.median(each):7.1f} {max(each):7.1f}")
    finally:
        server.terminate()
        server.wait()


main()
