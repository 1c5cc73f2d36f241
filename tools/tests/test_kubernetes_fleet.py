"""Checks deploy/kubernetes/fleet without a Kubernetes cluster: its files, and its containers as processes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fleetnetwork import Network, network, variables
from installed import until

ROOT = Path(__file__).parents[2]
FLEET = ROOT / "deploy" / "kubernetes" / "fleet"
SERVER = ROOT / "server/src/Larder.Server/bin/Release/net10.0/larder-server.dll"
SECRETS = {
    "larder": {"token": "a-token-of-at-least-16-bytes", "console-token": "another-token-of-16-bytes"},
    "larder-redis": {"admin-password": "0123456789abcdef", "gateway-password": "fedcba9876543210"},
}
needs_server = pytest.mark.skipif(not SERVER.is_file(), reason="the server is not built in Release")
runs_pods = pytest.mark.skipif("LARDER_LONG" not in os.environ, reason="runs eight pods: ./larder test --long")


def _kustomization() -> dict[str, Any]:
    yaml = pytest.importorskip("yaml")
    return dict(yaml.safe_load((FLEET / "kustomization.yaml").read_text()))


def _objects() -> dict[tuple[str, str], dict[str, Any]]:
    """Return the objects by kind and name."""
    yaml = pytest.importorskip("yaml")
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for name in _kustomization()["resources"]:
        for each in yaml.safe_load_all((FLEET / name).read_text()):
            assert (each["kind"], each["metadata"]["name"]) not in found
            found[each["kind"], each["metadata"]["name"]] = each
    return found


def _pods() -> dict[str, dict[str, Any]]:
    """Return the pod templates by the label app."""
    templates = [each["spec"]["template"] for each in _objects().values() if "template" in each["spec"]]
    return {each["metadata"]["labels"]["app"]: each["spec"] for each in templates}


def _container(app: str) -> dict[str, Any]:
    [container] = _pods()[app]["containers"]
    return dict(container)


def test_fleet_consists_of_nodes_gateways_and_policies() -> None:
    assert set(_objects()) == {
        ("Service", "larder-redis"),
        ("StatefulSet", "larder-redis"),
        ("PodDisruptionBudget", "larder-redis"),
        ("Job", "larder-redis-create"),
        ("Service", "larder"),
        ("Deployment", "larder-gateway"),
        ("PodDisruptionBudget", "larder-gateway"),
        ("NetworkPolicy", "larder-redis"),
        ("NetworkPolicy", "larder-gateway"),
    }


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not installed")
def test_kubectl_builds_the_fleet() -> None:
    built = subprocess.run(["kubectl", "kustomize", FLEET], capture_output=True, text=True, timeout=60)
    assert built.returncode == 0, built.stderr
    yaml = pytest.importorskip("yaml")
    objects = list(yaml.safe_load_all(built.stdout))
    [config] = [each for each in objects if each["kind"] == "ConfigMap"]
    assert len(objects) == len(_objects()) + 1
    # A change of a script or of redis.conf changes the name, and so replaces the pods.
    [nodes] = [each for each in objects if each["kind"] == "StatefulSet"]
    assert nodes["spec"]["template"]["spec"]["volumes"][0]["configMap"]["name"] == config["metadata"]["name"]


def test_settings_of_nodes_are_copies_of_the_servers_files() -> None:
    for name in ("redis.conf", "gateway.acl"):
        assert (FLEET / "redis" / name).read_text() == (ROOT / "server" / name).read_text()
    [generated] = _kustomization()["configMapGenerator"]
    assert sorted(generated["files"]) == sorted(f"redis/{each.name}" for each in (FLEET / "redis").iterdir())


def test_selectors_names_and_ports_match() -> None:
    objects, pods = _objects(), _pods()
    for (kind, _), each in objects.items():
        spec = each["spec"]
        if kind in ("Deployment", "StatefulSet"):
            assert spec["selector"]["matchLabels"] == spec["template"]["metadata"]["labels"]
        elif kind == "Service":
            ports = {port["name"] for port in _container(spec["selector"]["app"])["ports"]}
            assert {port["targetPort"] for port in spec["ports"]} <= ports
        elif kind == "PodDisruptionBudget":
            assert spec["selector"]["matchLabels"]["app"] in pods and spec["maxUnavailable"] == 1
        elif kind == "NetworkPolicy":
            ports = {port["name"] for port in _container(spec["podSelector"]["matchLabels"]["app"])["ports"]}
            assert {port["port"] for rule in spec["ingress"] for port in rule["ports"]} <= ports
    nodes = objects["StatefulSet", "larder-redis"]["spec"]
    names = [f"larder-redis-{number}.{nodes['serviceName']}" for number in range(nodes["replicas"])]
    assert ("Service", nodes["serviceName"]) in objects
    for app in ("larder-redis", "larder-redis-create"):
        assert _variable(app, "PEERS").split() == names
    store = re.fullmatch(r"redis://larder:\$\(GATEWAY_PASSWORD\)@(.*)", _variable("larder-gateway", "LARDER_STORE"))
    assert store and set(store[1].split(",")) < set(names)


def _variable(app: str, name: str) -> str:
    [value] = [each["value"] for each in _container(app)["env"] if each["name"] == name]
    return str(value)


def test_pods_have_no_privileges_and_declare_resources() -> None:
    for pod in _pods().values():
        [container] = pod["containers"]
        assert pod["automountServiceAccountToken"] is False
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert {"cpu", "memory"} <= set(container["resources"]["requests"])
        assert container["resources"]["limits"]["memory"] == container["resources"]["requests"]["memory"]
        volumes = {each["name"] for each in pod.get("volumes", [])} | {"node"}
        assert {mount["name"] for mount in container["volumeMounts"]} <= volumes
        references = [each.get("valueFrom", {}).get("secretKeyRef") for each in container["env"]]
        assert [each for each in references if each and each["key"] not in SECRETS[each["name"]]] == []


def test_only_nodes_and_gateways_reach_the_nodes() -> None:
    clients, peers = _objects()["NetworkPolicy", "larder-redis"]["spec"]["ingress"]
    [selected] = clients["from"][0]["podSelector"]["matchExpressions"]
    assert set(selected["values"]) == set(_pods())
    assert peers["from"] == [{"podSelector": {"matchLabels": {"app": "larder-redis"}}}]
    # A gateway must not know the password that permits every command.
    gateway = [each.get("valueFrom", {}).get("secretKeyRef", {}) for each in _container("larder-gateway")["env"]]
    assert [each["key"] for each in gateway if each.get("name") == "larder-redis"] == ["gateway-password"]


def test_gateways_are_replaced_only_when_new_ones_are_ready() -> None:
    spec = _objects()["Deployment", "larder-gateway"]["spec"]
    assert spec["strategy"] == {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 0, "maxSurge": 1}}
    assert spec["replicas"] >= 2
    pod, container = spec["template"]["spec"], _container("larder-gateway")
    hook = container["lifecycle"]["preStop"]["sleep"]["seconds"]
    options = (ROOT / "server/src/Larder.Server/ServerOptions.cs").read_text()
    [drain] = re.findall(r"DrainTimeout { get; init; } = TimeSpan.FromSeconds\((\d+)\)", options)
    assert pod["terminationGracePeriodSeconds"] >= hook + 2 * int(drain)


@needs_server
def test_gateway_arguments_pass_the_servers_check(tmp_path: Path) -> None:
    for name, value in SECRETS["larder"].items():
        (tmp_path / name).write_text(value)
    checked = subprocess.run(
        ["dotnet", SERVER, *_gateway_arguments(tmp_path), "--check-config"],
        env={**variables(_container("larder-gateway"), "", SECRETS)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def _gateway_arguments(secrets: Path) -> list[str]:
    serve, *arguments = _container("larder-gateway")["args"]
    assert serve == "serve"
    return [each.replace("/etc/larder/", f"{secrets}/") for each in arguments]


class Fleet:
    """The pods of the fleet, as processes."""

    def __init__(self, place: Network, folder: Path) -> None:
        self.place = place
        self.folder = folder
        self.settings = folder / "redis-settings"
        self.settings.mkdir()
        # The nodes find their settings in a folder of the test. All other text of the scripts stays the same.
        for each in (FLEET / "redis").iterdir():
            (self.settings / each.name).write_text(each.read_text().replace("/etc/redis/", f"{self.settings}/"))
        self.secrets = folder / "larder"
        self.secrets.mkdir()
        for name, value in SECRETS["larder"].items():
            (self.secrets / name).write_text(value)
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.addresses: dict[str, str] = {}
        self._starts = 0

    def _address(self) -> str:
        """Return an address that no pod has had before."""
        self._starts += 1
        return f"127.0.{self._starts // 200 + 1}.{self._starts % 200 + 1}"

    def script(self, app: str, command: list[str], address: str = "") -> subprocess.CompletedProcess[str]:
        words = [each.replace("/etc/redis/", f"{self.settings}/") for each in command]
        return self.place.run(words, variables(_container(app), address, SECRETS))

    def start_node(self, number: int) -> None:
        name = f"larder-redis-{number}"
        container = _container("larder-redis")
        address = self.addresses[name] = self._address()
        self.place.name(f"{name}.larder-redis", address)
        data = self.folder / name
        data.mkdir(exist_ok=True)
        command = [each.replace("/etc/redis/", f"{self.settings}/") for each in container["command"]]
        environment = variables(container, address, SECRETS) | {"RESTART_DELAY_S": "0"}
        # Do not wait for further replicas.
        command += ["--maxmemory", "32mb", "--repl-diskless-sync-delay", "0"]
        self.processes[name] = self.place.start(command, self.folder / f"{name}.log", environment, data)

    def node_is_ready(self, number: int) -> bool:
        command = _container("larder-redis")["readinessProbe"]["exec"]["command"]
        return self.script("larder-redis", command, self.addresses[f"larder-redis-{number}"]).returncode == 0

    def node_responds(self, number: int) -> bool:
        environment = {"REDISCLI_AUTH": SECRETS["larder-redis"]["admin-password"]}
        return (
            self.place.run(
                ["redis-cli", "-h", self.addresses[f"larder-redis-{number}"], "ping"], environment
            ).returncode
            == 0
        )

    def stop_node(self, number: int) -> None:
        """Stop a node as Kubernetes does: run the hook, then send SIGTERM."""
        name = f"larder-redis-{number}"
        command = _container("larder-redis")["lifecycle"]["preStop"]["exec"]["command"]
        done = self.script("larder-redis", command, self.addresses[name])
        assert done.returncode == 0, done.stdout + done.stderr
        self.stop(name)

    def start_gateway(self, name: str) -> None:
        address = self.addresses[name] = self._address()
        arguments = [each.replace("0.0.0.0", address) for each in _gateway_arguments(self.secrets)]
        environment = variables(_container("larder-gateway"), address, SECRETS) | {"HOME": str(self.folder)}
        command = [shutil.which("dotnet") or "dotnet", str(SERVER), *arguments]
        self.processes[name] = self.place.start(command, self.folder / f"{name}.log", environment)

    def probe(self, name: str, probe: str) -> bool:
        """Return whether a probe of a gateway succeeds."""
        ask = _container("larder-gateway")[probe]["httpGet"]
        assert ask["port"] == "console"
        program = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1], timeout=5)"
        url = f"http://{self.addresses[name]}:8081{ask['path']}"
        return self.place.run([sys.executable, "-c", program, url], {}).returncode == 0

    def name_gateways(self, *names: str) -> None:
        """Let the service's name resolve to these gateways."""
        self.place.name("larder", *(self.addresses[name] for name in names))

    def stop(self, name: str) -> None:
        process = self.processes.pop(name)
        process.terminate()
        process.wait(60)

    def logs(self) -> str:
        return "\n".join(f"{each.name}:\n{each.read_text()[-1500:]}" for each in sorted(self.folder.glob("*.log")))

    def until(self, condition: Callable[[], bool]) -> None:
        until(condition, self.logs)


@pytest.fixture
def fleet(tmp_path: Path) -> Iterator[Fleet]:
    """Yield six nodes that form a cluster, and two gateways."""
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not installed: tools/setup redis")
    with network(tmp_path) as place:
        fleet = Fleet(place, tmp_path)
        try:
            for number in range(6):
                fleet.start_node(number)
            created = fleet.script("larder-redis-create", _container("larder-redis-create")["command"])
            assert created.returncode == 0, created.stdout + created.stderr + fleet.logs()
            fleet.until(lambda: all(fleet.node_is_ready(number) for number in range(6)))
            for name in ("gateway-1", "gateway-2"):
                fleet.start_gateway(name)
            fleet.name_gateways("gateway-1", "gateway-2")
            for name in ("gateway-1", "gateway-2"):
                fleet.until(lambda name=name: fleet.probe(name, "readinessProbe"))
            yield fleet
        finally:
            for name in list(fleet.processes):
                fleet.processes[name].kill()
                fleet.processes.pop(name).wait()


# Sets and gets values until it is stopped. Prints each failure, and the number of calls.
PROGRAM = """
import asyncio, sys
from larder_cache import CacheClient, CredentialProvider

async def main():
    async with CacheClient(CredentialProvider.from_string(sys.argv[1]), default_ttl=600) as client:
        cache, calls = client.cache("cache"), 0
        while True:
            key = f"key-{calls % 1000}"
            for answer in (await cache.results.set(key, b"value"), await cache.results.get(key)):
                calls += 1
                if type(answer).__name__ == "Error":
                    print("failed:", repr(answer), flush=True)
            if calls % 100 == 0:
                print("calls", calls, flush=True)
            await asyncio.sleep(0.001)

asyncio.run(main())
"""


def _calls(log: Path) -> int:
    return max((int(number) for number in re.findall(r"^calls (\d+)$", log.read_text(), re.M)), default=0)


@needs_server
@runs_pods
def test_rolling_update_of_all_pods_fails_no_call(fleet: Fleet) -> None:
    log = fleet.folder / "program.log"
    url = f"http://{SECRETS['larder']['token']}@larder:8080"
    environment = {"PYTHONPATH": str(ROOT / "clients" / "python")}
    fleet.processes["program"] = fleet.place.start([sys.executable, "-c", PROGRAM, url], log, environment)

    def until_it_has_called() -> None:
        enough = _calls(log) + 500
        fleet.until(lambda: _calls(log) >= enough)

    until_it_has_called()
    # A StatefulSet replaces the pod with the highest number first.
    for number in reversed(range(6)):
        fleet.stop_node(number)
        until_it_has_called()
        fleet.start_node(number)
        fleet.until(lambda number=number: fleet.node_is_ready(number))
        until_it_has_called()
    for old, new, other in (("gateway-1", "gateway-3", "gateway-2"), ("gateway-2", "gateway-4", "gateway-3")):
        fleet.start_gateway(new)
        fleet.until(lambda new=new: fleet.probe(new, "readinessProbe"))
        fleet.name_gateways(new, other)
        fleet.stop(old)
        until_it_has_called()
    assert [line for line in log.read_text().splitlines() if line.startswith("failed: ")] == []


@needs_server
@runs_pods
def test_cluster_forms_again_after_all_nodes_got_new_addresses(fleet: Fleet) -> None:
    created = fleet.script("larder-redis-create", _container("larder-redis-create")["command"])
    assert (created.returncode, created.stdout) == (0, "The cluster exists.\n")
    for number in range(6):
        fleet.stop(f"larder-redis-{number}")
    fleet.until(lambda: not fleet.probe("gateway-1", "readinessProbe"))
    # A gateway without its cluster must not be restarted.
    assert fleet.probe("gateway-1", "livenessProbe") and fleet.probe("gateway-1", "startupProbe")
    for number in range(6):
        fleet.start_node(number)
    fleet.until(lambda: all(fleet.node_is_ready(number) for number in range(6)))
    fleet.until(lambda: fleet.probe("gateway-1", "readinessProbe"))


@needs_server
@runs_pods
def test_commands_of_the_guide_add_a_master_and_its_replica(fleet: Fleet) -> None:
    guide = (ROOT / "docs" / "guides" / "kubernetes.md").read_text()
    [commands] = re.findall(r"^kubectl exec -it larder-redis-0 -- sh\n(.*?)^```", guide, re.M | re.S)
    for number in (6, 7):
        fleet.start_node(number)
        fleet.until(lambda number=number: fleet.node_responds(number))
    environment = variables(_container("larder-redis"), fleet.addresses["larder-redis-0"], SECRETS)
    done = fleet.place.run(["sh", "-euc", commands], environment)
    assert done.returncode == 0, done.stdout + done.stderr
    fleet.until(lambda: all(fleet.node_is_ready(number) for number in range(8)))
    roles = fleet.place.run(
        ["redis-cli", "-h", fleet.addresses["larder-redis-0"], "cluster", "nodes"],
        environment | {"REDISCLI_AUTH": environment["ADMIN_PASSWORD"]},
    ).stdout
    masters = [line for line in roles.splitlines() if "master" in line.split()[2]]
    # Each master has some slots.
    assert [len(line.split()) > 8 for line in masters] == 4 * [True], roles
    assert fleet.probe("gateway-1", "readinessProbe")
