"""Run larder fleet: a Redis Cluster and Larder servers in front of it, on this machine, until Ctrl+C."""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from fleet import Fleet, FleetError, Size, Stopped
from rolling import RollingRestart

ROOT = Path(__file__).parents[2]
SERVER = ROOT / "server" / "src" / "Larder.Server" / "bin" / "Release" / "net10.0" / "larder-server.dll"
WRONG_COMMAND = 2


@dataclass(frozen=True, slots=True)
class Request:
    """What the caller asked for. Without a command and a rolling restart, the fleet runs until Ctrl+C."""

    size: Size
    server: Path
    command: list[str]
    restarts: bool


def read_arguments(arguments: list[str]) -> Request:
    """Return the caller's request; exit with code 2 if the arguments are invalid."""
    parser = argparse.ArgumentParser(
        prog="larder fleet",
        usage="larder fleet [--masters N] [--replicas N] [--gateways N] [--rolling-restart | -- COMMAND …]",
        description="Runs redis-servers and gateways on the loopback address until Ctrl+C, or while COMMAND runs."
        " COMMAND gets the environment variables LARDER_URL and LARDER_STORE."
        " At the end, all processes are stopped and their files are deleted.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--masters",
        type=int,
        default=3,
        help="number of masters, 3 to 16, or 1 for a server without a cluster (default 3)",
    )
    parser.add_argument(
        "--replicas", type=int, help="number of replicas of each master, 0 to 3 (default 1; 0 with one master)"
    )
    parser.add_argument("--gateways", type=int, default=2, help="number of gateways, 1 to 8 (default 2)")
    parser.add_argument(
        "--rolling-restart",
        action="store_true",
        help="while a program sets and gets values, restart every process, one at a time, and move slots; then stop."
        " Prints a table. The exit code is 1 if a call failed or a value was lost",
    )
    parser.add_argument("--server", type=Path, default=SERVER, help=argparse.SUPPRESS)
    end = arguments.index("--") if "--" in arguments else len(arguments)
    given, command = parser.parse_args(arguments[:end]), arguments[end + 1 :]
    if end < len(arguments) and not command:
        parser.error("the command after -- is missing; pass one, or omit --")
    replicas = given.replicas if given.replicas is not None else int(given.masters > 1)
    if given.masters != 1 and not 3 <= given.masters <= 16:
        parser.error(
            f"--masters must be 3 to 16 for a cluster, or 1 for a server without a cluster, not {given.masters}"
        )
    if not 0 <= replicas <= 3:
        parser.error(f"--replicas must be 0 to 3, not {replicas}")
    if given.masters == 1 and replicas > 0:
        parser.error(f"--replicas {replicas} needs a cluster; omit it, or pass --masters 3")
    if not 1 <= given.gateways <= 8:
        parser.error(f"--gateways must be 1 to 8, not {given.gateways}")
    if given.rolling_restart and command:
        parser.error("--rolling-restart cannot be combined with a command; remove one of them")
    if given.rolling_restart and (replicas < 1 or given.gateways < 2):
        parser.error("--rolling-restart needs at least one replica for each master, and two gateways")
    return Request(Size(given.masters, replicas, given.gateways), given.server, command, given.rolling_restart)


def main() -> int:
    """Run the fleet until it must stop, and return the exit code.

    It is the exit code of the command, 0 after a requested stop, 1 if the start failed or a call failed during a
    rolling restart, or 2 for invalid arguments.
    """
    request = read_arguments(sys.argv[1:])
    size, server = request.size, request.server
    for program in ("redis-server", "redis-cli"):
        if shutil.which(program) is None:
            print(f"larder: {program} is not installed; run: tools/setup redis", file=sys.stderr)
            return 1
    if not server.is_file():
        print(f"larder: {server} is missing; run ./larder fleet, which builds it", file=sys.stderr)
        return 1
    fleet = Fleet(size, server)

    def stop(_number: int, _frame: object) -> None:
        fleet.stop()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    try:
        with fleet:
            print(f"larder: starting {_count(size)} …", file=sys.stderr, flush=True)
            fleet.start()
            if request.command:
                return fleet.run(request.command)
            if request.restarts:
                return int(RollingRestart(fleet, lambda line: print(line, flush=True)).run() > 0)
            print(f"{fleet.description()}\nPress Ctrl+C to stop all processes and delete their files.", flush=True)
            fleet.watch(lambda news: print(f"{time.strftime('%T')}  {news}", flush=True))
            print("larder: stopping …", file=sys.stderr, flush=True)
    except FleetError as error:
        print(f"larder: {error}", file=sys.stderr)
        return 1
    except Stopped:
        pass
    return 0


def _count(size: Size) -> str:
    if size.masters == 1:
        return f"1 redis-server and {size.gateways} gateways"
    return f"{size.masters} masters, {size.masters * size.replicas} replicas and {size.gateways} gateways"


if __name__ == "__main__":
    sys.exit(main())
