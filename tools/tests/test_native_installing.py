"""Installs the native program's packages in an empty root without .NET: serve, set, get, upgrade and remove.

Prints a table with the duration of each step.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from emptyroot import ACCOUNTS, EmptyRoot
from installed import LISTENING, begun, ended, until

ROOT = Path(__file__).parents[2]
# The health check for containers in docs/guides/install.md. It needs no shell, and reads the token from the server's
# file.
HEALTH_CHECK = ("/usr/bin/larder", "ping", "--timeout-ms", "2000")
pytestmark = [
    pytest.mark.skipif("LARDER_LONG" not in os.environ, reason="compiles the native program: ./larder test --long"),
    pytest.mark.skipif(shutil.which("gcc") is None or shutil.which("dpkg-deb") is None, reason="no gcc or dpkg-deb"),
    pytest.mark.skipif(os.geteuid() != 0, reason="chroot needs root"),
]


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that contains the built packages.

    If LARDER_NATIVE_PACKAGES is set, it names this folder. Otherwise the packages are built into a new folder.
    """
    if built := os.environ.get("LARDER_NATIVE_PACKAGES"):
        return Path(built)
    target = tmp_path_factory.mktemp("native")
    subprocess.run([ROOT / "tools" / "pack", "native", "--output", target], check=True)
    return target


class Durations:
    """The durations of the steps from a package to the first value, in milliseconds."""

    STEPS = ("install", "start", "set", "get")

    def __init__(self) -> None:
        self._rows: dict[str, dict[str, float]] = {}

    @contextmanager
    def step(self, package: str, name: str) -> Iterator[None]:
        begin = time.perf_counter()
        yield
        self._rows.setdefault(package, {})[name] = (time.perf_counter() - begin) * 1_000

    def table(self) -> str:
        head = "".join(f"{name:>9}" for name in (*self.STEPS, "total"))
        lines = [f"\n{'package, ms':16}{head}"]
        for package, row in self._rows.items():
            columns = [*(row.get(name, 0.0) for name in self.STEPS), sum(row.values())]
            lines.append(f"{package:16}{''.join(f'{each:9.0f}' for each in columns)}")
        return "\n".join(lines)


@pytest.fixture(scope="module")
def durations(request: pytest.FixtureRequest) -> Iterator[Durations]:
    """Collect durations, and print their table after the last test of this module."""
    measured = Durations()
    yield measured
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        print(measured.table())


@contextmanager
def _isolated(folder: Path) -> Iterator[tuple[str, ...]]:
    """Mount /proc in a root, and yield a command prefix with a separate network whose default ports are free."""
    (folder / "proc").mkdir(parents=True, exist_ok=True)
    prepare = f"ip link set lo up && mount -t proc proc '{folder}/proc' && echo up && exec sleep infinity"
    holder = subprocess.Popen(["unshare", "--net", "--mount", "sh", "-c", prepare], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    try:
        if holder.stdout.readline() != "up\n":
            pytest.skip("no new network and mounts: needs CAP_SYS_ADMIN and iproute2")
        yield ("nsenter", f"--target={holder.pid}", "--net", "--mount")
    finally:
        holder.kill()
        holder.communicate()


@pytest.fixture
def root(tmp_path: Path) -> Iterator[EmptyRoot]:
    """Create an empty root."""
    with _isolated(tmp_path / "root") as inside:
        yield EmptyRoot(tmp_path / "root", inside)


def _has_no_dotnet(root: EmptyRoot) -> bool:
    return not [name for name in root.files() if re.search(r"dotnet|coreclr|\.dll$", name)]


def _newer(package: Path, folder: Path) -> Path:
    """Build a copy of the package with a higher version, and return its path."""
    subprocess.run(["dpkg-deb", "-R", package, folder / "tree"], check=True)
    control = folder / "tree/DEBIAN/control"
    control.write_text(re.sub(r"^Version: .*", "Version: 99.0.0", control.read_text(), flags=re.M))
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Znone", "-b", folder / "tree", folder], check=True)
    return next(folder.glob("larder_99.0.0_*.deb"))


def test_archive_can_be_installed_upgraded_and_removed(
    packages: Path, root: EmptyRoot, tmp_path: Path, durations: Durations
) -> None:
    [archive] = packages.glob("larder-*-linux-x64.tar.gz")
    target = root.folder / "usr/local"
    target.mkdir()
    before = root.files()
    extract = ["tar", "-xzf", archive, "--strip-components=1", "-C", target]
    with durations.step("archive", "install"):
        subprocess.run(extract, check=True)
    assert _has_no_dotnet(root)
    serve = root.command("larder", "serve", "--memory", "64m", "--snapshot", "/tmp/cache.snapshot")

    with durations.step("archive", "start"):
        server, _ = begun(tmp_path, LISTENING, *serve)
    with durations.step("archive", "set"):
        assert root.run("larder", "set", "greeting", "hello").stdout == "stored\n"
    with durations.step("archive", "get"):
        assert root.run("larder", "get", "greeting").stdout == "hello\n"
    # The upgrade replaces the program while the server runs. The restarted server loads the items.
    subprocess.run(extract, check=True)
    assert root.run("larder", "get", "greeting").stdout == "hello\n"
    assert ended(server) == 0
    server, _ = begun(tmp_path, LISTENING, *serve)
    assert root.run("larder", "get", "greeting").stdout == "hello\n"
    assert ended(server) == 0

    # Remove the stored items and the files of the archive.
    for path in (*root.folder.glob("tmp/*"), *sorted(target.rglob("*"), reverse=True)):
        path.rmdir() if path.is_dir() else path.unlink()
    assert root.files() == before


def test_debian_package_can_be_installed_upgraded_and_purged(
    packages: Path, root: EmptyRoot, tmp_path: Path, durations: Durations
) -> None:
    before, accounts = root.files(), [root.text(name) for name in ACCOUNTS]

    def served(value: str) -> bool:
        return root.run("larder", "get", "greeting").stdout == value

    def log() -> str:
        return root.text("run/larder.log")

    with durations.step("Debian package", "install"):
        root.dpkg("--install", next(packages.glob("larder_*_amd64.deb")))
    # Installing the package has started the service.
    with durations.step("Debian package", "start"):
        until(lambda: bool(LISTENING.search(log())), log)
    with durations.step("Debian package", "set"):
        assert root.run("larder", "set", "greeting", "hello").stdout == "stored\n"
    with durations.step("Debian package", "get"):
        assert served("hello\n")
    assert _has_no_dotnet(root)
    user = int(re.findall(r"^larder:x:(\d+):", root.text("etc/passwd"), re.M)[0])
    process = int(root.text("run/larder.pid"))
    assert os.stat(f"/proc/{process}").st_uid == user

    settings = root.folder / "etc/larder/larder.toml"
    settings.write_text(settings.read_text().replace('# memory = "4g"', 'memory = "64m"'))
    root.dpkg("--install", _newer(next(packages.glob("larder_*_amd64.deb")), tmp_path))
    assert '\nmemory = "64m"' in settings.read_text()
    until(lambda: served("hello\n"), log)
    assert int(root.text("run/larder.pid")) != process

    process = int(root.text("run/larder.pid"))
    root.dpkg("--remove", "larder")
    assert not Path(f"/proc/{process}").exists()
    assert (root.folder / "var/lib/larder/cache.snapshot").exists() and settings.exists()
    root.dpkg("--purge", "larder")
    assert root.files() == before
    assert [root.text(name) for name in ACCOUNTS] == accounts


@contextmanager
def _redis(start: Callable[..., list[str]], folder: Path) -> Iterator[str]:
    """Run a Redis server on port 6379 of a network, and yield the URL for --store.

    Its user larder has the permissions of a gateway and the password s3cret.
    """
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not installed: tools/setup redis")
    lines = (ROOT / "server/gateway.acl").read_text().splitlines()
    permissions = " ".join(line for line in lines if not line.startswith("#"))
    (folder / "redis.conf").write_text(f"include {ROOT}/server/redis.conf\nuser larder >s3cret {permissions}\n")
    words = ["redis-server", folder / "redis.conf", "--cluster-enabled", "no", "--bind", "127.0.0.1", "--dir", folder]
    server = subprocess.Popen(start(*words), stdout=subprocess.DEVNULL)
    try:
        until(
            lambda: subprocess.run(start("redis-cli", "ping"), capture_output=True).returncode == 0,
            lambda: "redis-server does not respond",
        )
        yield "redis://larder@127.0.0.1"
    finally:
        server.kill()
        server.wait()


def _as_gateway(settings: str, store: str) -> str:
    """Change the settings of the package as they describe."""
    [snapshot] = re.findall(r"^snapshot = .*\n", settings, re.M)
    [example] = re.findall(r"^# store = .*$", settings, re.M)
    changed = settings.replace(snapshot, "").replace(example, f'store = "{store}"')
    return changed.replace("# store-password-file", "store-password-file")


def test_debian_package_runs_as_gateway(packages: Path, root: EmptyRoot, tmp_path: Path) -> None:
    def log() -> str:
        return root.text("run/larder.log")

    def is_served() -> bool:
        return root.run("larder", "get", "greeting").stdout == "hello\n"

    root.dpkg("--install", next(packages.glob("larder_*_amd64.deb")))
    until(lambda: bool(LISTENING.search(log())), log)
    settings = root.folder / "etc/larder/larder.toml"
    as_service = ("setpriv", "--reuid", "larder", "--regid", "larder", "--clear-groups")
    with _redis(root.outside, tmp_path) as store:
        settings.write_text(_as_gateway(settings.read_text(), store))
        password = settings.with_name("redis-password")
        password.write_text("s3cret\n")
        os.chown(password, 0, settings.stat().st_gid)
        password.chmod(0o640)
        checked = root.run(*as_service, "larder", "serve", "--config", "/etc/larder/larder.toml", "--check-config")
        assert checked.returncode == 0, checked.stderr
        root.run("deb-systemd-invoke", "stop", "larder.service")
        found = root.run(*as_service, "larder", "doctor", "--config", "/etc/larder/larder.toml")
        assert re.search(r"^ok +engine +one server responds$", found.stdout, re.M), found.stdout
        root.run("deb-systemd-invoke", "start", "larder.service")
        until(lambda: root.run("larder", "set", "greeting", "hello").stdout == "stored\n", log)
        # The items are in Redis, so they survive a restart without a snapshot.
        root.run("deb-systemd-invoke", "try-restart", "larder.service")
        until(is_served, log)
        assert "s3cret" not in log()
        root.run("deb-systemd-invoke", "stop", "larder.service")
    # The settings contain the password.
    nobody = root.run(
        "setpriv", "--reuid", "1000", "--regid", "1000", "--clear-groups", "cat", "/etc/larder/larder.toml"
    )
    assert nobody.returncode != 0 and nobody.stdout == ""


def _emulator(machine: str) -> Path | None:
    """Return the path of QEMU for an architecture, or None if this machine has this architecture."""
    own = os.uname().machine
    wanted = {"x64": "x86_64", "arm64": "aarch64"}[machine]
    if wanted == own:
        return None
    found = shutil.which(f"qemu-{wanted}-static")
    return Path(found) if found else pytest.skip(f"no qemu-{wanted}-static")


@pytest.mark.skipif(shutil.which("umoci") is None, reason="umoci is not installed: tools/setup image")
@pytest.mark.parametrize("machine", ["x64", "arm64"])
def test_image_serves_as_unprivileged_user(packages: Path, tmp_path: Path, machine: str, durations: Durations) -> None:
    archive = next(packages.glob(f"larder-*-linux-{machine}.oci.tar"), None)
    if archive is None:
        pytest.skip(f"not built; ./larder pack native --arch {machine}")
    (tmp_path / "layout").mkdir()
    version = archive.name.split("-")[1]
    unpack = ["umoci", "unpack", "--image", f"{tmp_path}/layout:{version}", tmp_path / "bundle"]
    package = f"image, {machine}"
    with durations.step(package, "install"):
        subprocess.run(["tar", "-xf", archive, "-C", tmp_path / "layout"], check=True)
        subprocess.run(unpack, check=True, capture_output=True)
    process = json.loads((tmp_path / "bundle/config.json").read_text())["process"]
    folder, user = tmp_path / "bundle/rootfs", f"{process['user']['uid']}:{process['user']['gid']}"
    assert user == "1654:1654"
    assert not [path for path in folder.rglob("*") if re.search(r"dotnet|coreclr|\.dll$", path.name)]
    token = folder / "run/secrets/larder-token"
    token.parent.mkdir(parents=True)
    token.write_text("a-token-of-at-least-16-bytes\n")
    for device, minor in (("null", 3), ("urandom", 9)):
        (folder / "dev").mkdir(exist_ok=True)
        os.mknod(folder / "dev" / device, 0o20666, os.makedev(1, minor))

    with _isolated(folder) as inside:
        environ = ["env", "-i", *process["env"], "LARDER_SERVE_MEMORY=64m"]
        chroot = [*inside, *environ, "/usr/sbin/chroot", f"--userspec={user}", str(folder)]
        if emulator := _emulator(machine):
            shutil.copy(emulator, folder / "emulator")
            chroot.append("/emulator")

        def larder(*words: str) -> str:
            command = [*chroot, process["args"][0], *words]
            return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout

        def health() -> int:
            return subprocess.run([*chroot, *HEALTH_CHECK], capture_output=True, timeout=60).returncode

        assert health() == 1
        with durations.step(package, "start"):
            server, _ = begun(tmp_path, LISTENING, *chroot, *process["args"])
        try:
            with durations.step(package, "set"):
                assert larder("set", "greeting", "hello") == "stored\n"
            with durations.step(package, "get"):
                assert larder("get", "greeting") == "hello\n"
            assert health() == 0
        finally:
            code = ended(server)
        assert code == 0 and health() == 1

        # The same image is a gateway if its environment has a store.
        (folder / "run/secrets/redis-password").write_text("s3cret\n")
        password = "LARDER_SERVE_STORE_PASSWORD_FILE=/run/secrets/redis-password"
        with _redis(lambda *words: [*inside, *map(str, words)], tmp_path) as store:
            gateway = [*inside, *environ, f"LARDER_STORE={store}", password, *chroot[len(inside) + len(environ) :]]
            server, _ = begun(tmp_path, LISTENING, *gateway, *process["args"])
            try:
                assert larder("set", "greeting", "from Redis") == "stored\n"
                assert larder("get", "greeting") == "from Redis\n"
                assert health() == 0
            finally:
                code = ended(server)
            assert code == 0
