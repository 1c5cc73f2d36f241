"""Compare stock gRPC clients against one server: throughput, latency, throttling and wrong responses.

./larder lab stock [--only NAME,…] [--calls N] [--server larder-server.dll]
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
VALUE = b"v" * 100
KEY = b"stock"
# The minimum latency that counts as throttled, in µs. If the server considers a connection a flood, it does not respond
# for 2 s and then closes the connection. Normal calls take milliseconds.
THROTTLED_US = 1_900_000.0


def field(number: int, data: bytes) -> bytes:
    """Return a protobuf field of type bytes, with at most 127 bytes."""
    return bytes([number << 3 | 2, len(data)]) + data


GET = field(1, KEY)
HIT = b"\x08\x02" + field(2, VALUE)
SET = GET + field(2, VALUE) + b"\x18\x80\xdd\xdb\x01"  # one hour


class Missing(Exception):
    """Raised if this machine cannot run a client. The message names what is missing."""


def needs(*programs: str) -> None:
    for program in programs:
        if not (shutil.which(program) or os.path.exists(program)):
            raise Missing(f"{program} is not installed")


def go(folder: Path) -> list[str]:
    needs("go", "/usr/share/gocode/src/google.golang.org/grpc")
    built = folder / "stock-go"
    environment = os.environ | {"GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOFLAGS": "", "GOCACHE": str(folder / "go-cache")}
    subprocess.run(["go", "build", "-o", str(built), str(HERE / "main.go")], check=True, env=environment)
    return [str(built)]


def cpp(folder: Path) -> list[str]:
    needs("g++", "pkg-config", "/usr/include/grpcpp/generic/generic_stub.h")
    built = folder / "stock-cpp"
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "grpc++"], check=True, capture_output=True, text=True)
    source = ["g++", "-std=c++17", "-O1", "-o", str(built), str(HERE / "main.cc")]
    subprocess.run(source + flags.stdout.split() + ["-Wl,--no-as-needed", "-lgrpc++", "-lgrpc", "-lgpr"], check=True)
    return [str(built)]


def grpcio(_: Path) -> list[str]:
    return [sys.executable, str(HERE / "grpcio_client.py")]


def h2(_: Path) -> list[str]:
    if subprocess.run(["/usr/bin/python3", "-c", "import h2"], capture_output=True).returncode:
        raise Missing("python3-h2 is not installed")
    return ["/usr/bin/python3", str(HERE / "h2_client.py")]


def grpc_js(_: Path) -> list[str]:
    needs("node", str(ROOT / "clients/node/node_modules/@grpc/grpc-js"))
    return ["node", str(HERE / "grpc-js.mjs")]


def http_client(folder: Path) -> list[str]:
    needs("dotnet")
    source = folder / "http-client.cs"
    shutil.copy(HERE / "http-client.cs", source)
    subprocess.run(["dotnet", "build", str(source), "-o", str(folder / "http-client"), "-v", "quiet", "--nologo"], check=True, stdout=sys.stderr)
    return ["dotnet", str(folder / "http-client/http-client.dll")]


def h2load(*table: str) -> Callable[[Path], list[str]]:
    def make(_: Path) -> list[str]:
        needs("h2load")
        return ["h2load", *table]

    return make


CLIENTS: dict[str, Callable[[Path], list[str]]] = {
    "go": go,
    "c++": cpp,
    "grpcio": grpcio,
    "grpc-js": grpc_js,
    "HttpClient": http_client,
    "python3-h2": h2,
    "h2load": h2load(),
    "h2load-table-2048": h2load("--header-table-size=2048", "--encoder-header-table-size=2048"),
}


def run_h2load(command: list[str], port: int, in_flight: int, calls: int, folder: Path) -> dict[str, Any]:
    """Run h2load. Read the latencies from its log, and detect wrong responses from the byte count in its report."""
    body, log = folder / "body", folder / "log"
    body.write_bytes(b"\0" + len(GET).to_bytes(4, "big") + GET)
    log.unlink(missing_ok=True)
    headers = ["content-type: application/grpc", "te: trailers", "cache: cache"]
    asked = [*command, "-n", str(calls), "-c", "1", "-m", str(in_flight), "-d", str(body), "--log-file", str(log)]
    asked += [word for header in headers for word in ("-H", header)]
    told = subprocess.run([*asked, f"http://127.0.0.1:{port}/cache_client.Scs/Get"], capture_output=True, text=True, timeout=120).stdout
    seconds = re.search(r"finished in ([\d.]+)(us|ms|s),", told)
    succeeded, answered = re.search(r"(\d+) succeeded", told), re.search(r"\((\d+)\) data", told)
    if not (seconds and succeeded and answered and log.exists()):
        return dict(seconds=0.001, p999Us=0, maxUs=0, wrong=calls, errors={"no report": 1})
    took = sorted(float(line.split("\t")[2]) for line in log.read_text().splitlines())
    if not took:
        return dict(seconds=0.001, p999Us=0, maxUs=0, wrong=calls, errors={"no call received a response": 1})
    wrong = calls - int(succeeded[1]) + (int(answered[1]) != calls * (5 + len(HIT)))
    scale = {"us": 1e-6, "ms": 1e-3, "s": 1.0}[seconds[2]]
    return dict(seconds=float(seconds[1]) * scale, p999Us=took[len(took) * 999 // 1000], maxUs=took[-1], wrong=wrong, errors={})


def measure(name: str, command: list[str], port: int, in_flight: int, calls: int, folder: Path) -> dict[str, Any]:
    if name.startswith("h2load"):
        return run_h2load(command, port, in_flight, calls, folder)
    arguments = [str(port), str(in_flight), str(calls), GET.hex(), HIT.hex()]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=300)
    try:
        return dict(json.loads(done.stdout))
    except ValueError:
        return dict(seconds=0.001, p999Us=0, maxUs=0, wrong=calls, errors={done.stderr[-200:].strip() or "no report": 1})


def start(server: str) -> tuple[subprocess.Popen[str], int]:
    command = ["dotnet", server, "--port", "0", "--console-port", "0", "--memory", "64m"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"listening on http://[\d.]+:(\d+)", line)
    if not found:
        raise SystemExit(f"the server did not start: expected its start line, got {line!r}")
    return process, int(found[1])


def main() -> int:
    parser = argparse.ArgumentParser(prog="larder lab stock", description=__doc__)
    parser.add_argument("--only", default=",".join(CLIENTS), help=f"clients to run, comma-separated: {', '.join(CLIENTS)}")
    parser.add_argument(
        "--calls", type=int, default=10_000, help="number of calls per client with 50 in flight; with 1 in flight, a fifth of this number"
    )
    parser.add_argument("--server", default=str(ROOT / "server/src/Larder.Server/bin/Release/net10.0/larder-server.dll"))
    parser.add_argument("--counts-only", action="store_true", help="check only the responses; slow calls are not a failure")
    options = parser.parse_args()
    import grpc

    server, port = start(options.server)
    bad = 0
    try:
        with tempfile.TemporaryDirectory() as path, grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            channel.unary_unary("/cache_client.Scs/Set")(SET, metadata=(("cache", "cache"),), timeout=30)
            print(f"{'client':18} {'in flight':>9} {'calls/s':>9} {'p99.9 ms':>9} {'max ms':>9}  verdict", flush=True)
            for name in options.only.split(","):
                try:
                    command = CLIENTS[name](Path(path))
                except Missing as missing:
                    print(f"{name:18} skipped: {missing}", flush=True)
                    continue
                for in_flight, calls in ((1, max(options.calls // 5, 100)), (50, options.calls)):
                    got = measure(name, command, port, in_flight, calls, Path(path))
                    faults = [f"{got['wrong']} wrong"] if got["wrong"] else []
                    faults += [f"{count} × {text}" for text, count in got["errors"].items()]
                    faults += ["throttled"] if got["maxUs"] >= THROTTLED_US and not options.counts_only else []
                    bad += len(faults)
                    rate, p999, most = calls / got["seconds"], got["p999Us"] / 1e3, got["maxUs"] / 1e3
                    verdict = "; ".join(faults) or "ok"
                    print(f"{name:18} {in_flight:9} {rate:9,.0f} {p999:9.2f} {most:9.2f}  {verdict}", flush=True)
    finally:
        server.terminate()
        server.wait(30)
    return 1 if bad else 0


sys.exit(main())
