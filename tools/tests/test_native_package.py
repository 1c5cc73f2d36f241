"""Checks the archive, the Debian package and the container image of the native program, built with a fake program."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest
from emptyroot import ACCOUNTS, EmptyRoot

ROOT = Path(__file__).parents[2]
LINUX = ROOT / "packaging" / "linux"
VERSION = re.findall("<Version>(.*)</Version>", (ROOT / "Directory.Build.props").read_text())[0]
ARCHIVE = f"larder-{VERSION}-linux-x64"
DEB = f"larder_{VERSION}_amd64.deb"
# A fake program. It prints the help texts from which the man page and the completions are built.
STAND_IN = """#!/bin/sh
if [ "$1" = completions ]; then
  [ "$2" != fish ] || for each in get serve tune; do
    echo "complete -c larder -n '__fish_use_subcommand' -f -a $each -d 'x'"
  done
  echo "# $2 completion"
elif [ "$1" = tune ]; then
  exit 2
else
  printf 'Description:\\n  %s it\\n\\nUsage:\\n  larder %s [options]\\n\\n' "$1" "$1"
  printf 'Options:\\n  --port <port>  Its port [default: 8080]\\n'
fi
"""
SHARED = {"man/man1/larder.1.gz", "bash-completion/completions/larder", "fish/vendor_completions.d/larder.fish"}
needs_dpkg = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="there is no dpkg-deb")
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="chroot needs root")


def _build(folder: Path, version: str = VERSION) -> Path:
    """Build both packages of a program that does nothing, in a checkout of the given version."""
    tree, output = folder / "tree", folder / "dist"
    output.mkdir(parents=True)
    for name in ("packaging/linux", "tools/reference.d", "deploy/systemd"):
        shutil.copytree(ROOT / name, tree / name)
    for name in ("Directory.Build.props", "LICENSE", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tree / name)
    props = tree / "Directory.Build.props"
    props.write_text(props.read_text().replace(f"<Version>{VERSION}<", f"<Version>{version}<"))
    stand_in = folder / "stand-in"
    stand_in.write_text(STAND_IN)
    stand_in.chmod(0o755)
    notices = folder / "notices"
    notices.write_text("The licences\n")
    command = [tree / "packaging/linux/build", "/bin/true", "x64", output, notices, stand_in]
    done = subprocess.run(command, env=os.environ | {"SOURCE_DATE_EPOCH": "1700000000"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return output


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("dpkg-deb") is None:
        pytest.skip("there is no dpkg-deb")
    return _build(tmp_path_factory.mktemp("native"))


def _contents(package: Path) -> dict[str, str]:
    """Return the files of a Debian package with their mode and owner."""
    listed = subprocess.run(["dpkg-deb", "-c", package], capture_output=True, text=True, check=True).stdout
    rows = [line.split(maxsplit=5) for line in listed.splitlines()]
    return {row[5].removeprefix("."): f"{row[0]} {row[1]}" for row in rows if not row[5].endswith("/")}


def test_archive_contains_program_man_pages_and_completions(packages: Path) -> None:
    with tarfile.open(packages / f"{ARCHIVE}.tar.gz") as archive:
        members = archive.getmembers()
    files = {member.name.removeprefix(f"{ARCHIVE}/"): member for member in members if member.isfile()}
    papers = {"README.md", "LICENSE", "CHANGELOG.md", "THIRD-PARTY-NOTICES.txt", "larder.service", "larder.toml"}
    papers = {f"share/doc/larder/{name}" for name in papers}
    pages = {f"share/{name}" for name in SHARED} | {"share/zsh/site-functions/_larder"}
    assert set(files) == {"bin/larder"} | papers | pages
    assert files["bin/larder"].mode == 0o755
    assert {(member.uid, member.gid, member.mtime) for member in members} == {(0, 0, 1700000000)}


def test_debian_package_contains_program_systemd_unit_and_configuration(packages: Path) -> None:
    files = _contents(packages / DEB)
    wanted = {"/usr/bin/larder", "/usr/lib/systemd/system/larder.service", "/etc/larder/larder.toml"}
    wanted |= {f"/usr/share/{name}" for name in SHARED} | {"/usr/share/zsh/vendor-completions/_larder"}
    wanted |= {f"/usr/share/doc/larder/{name}" for name in ("copyright", "changelog.gz", "THIRD-PARTY-NOTICES.txt.gz")}
    assert set(files) == wanted
    assert files["/usr/bin/larder"] == "-rwxr-xr-x root/root"
    assert files["/etc/larder/larder.toml"] == "-rw-r----- root/root"


def test_debian_package_declares_its_dependencies(packages: Path) -> None:
    def field(name: str) -> str:
        command = ["dpkg-deb", "-f", packages / DEB, name]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    assert (field("Package"), field("Version"), field("Architecture")) == ("larder", VERSION, "amd64")
    assert re.match(r"libc6 \(>= 2\.\d+\), libssl3", field("Depends"))
    assert "@" not in field("Installed-Size") and int(field("Installed-Size")) > 0


def test_man_page_contains_only_commands_of_the_program(packages: Path, tmp_path: Path) -> None:
    subprocess.run(["dpkg-deb", "-x", packages / DEB, tmp_path], check=True)
    page = subprocess.run(
        ["gzip", "-dc", tmp_path / "usr/share/man/man1/larder.1.gz"], capture_output=True, text=True, check=True
    ).stdout
    assert re.findall(r"^\.SS (.*)", page, re.M) == ["larder serve", "larder get"]
    assert "\\-\\-port <port>\nIts port. The default is 8080." in page


def test_package_build_is_reproducible(packages: Path, tmp_path: Path) -> None:
    again = _build(tmp_path)
    assert {path.name for path in again.iterdir()} == {f"{ARCHIVE}.tar.gz", DEB}
    assert {path.name: path.read_bytes() for path in again.iterdir()} == {
        path.name: path.read_bytes() for path in packages.iterdir()
    }


@needs_dpkg
def test_unknown_architecture_is_rejected(tmp_path: Path) -> None:
    done = subprocess.run([LINUX / "build", "/bin/true", "mips", tmp_path, "/dev/null"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, "error: unknown architecture 'mips'; use x64 or arm64.\n")


@pytest.mark.parametrize("script", ["postinst", "prerm", "postrm"])
def test_maintainer_scripts_are_valid_shell(script: str) -> None:
    subprocess.run(["sh", "-n", LINUX / "debian" / script], check=True)


@needs_dpkg
@needs_root
def test_package_is_installed_upgraded_removed_and_purged(packages: Path, tmp_path: Path) -> None:
    newer = _build(tmp_path / "newer", "99.0.0") / "larder_99.0.0_amd64.deb"
    (tmp_path / "root").mkdir()
    root = EmptyRoot(tmp_path / "root")
    before, accounts = root.files(), [root.text(name) for name in ACCOUNTS]

    root.dpkg("--install", packages / DEB)
    assert re.search(r"^larder:x:\d+:\d+:.*:/usr/sbin/nologin$", root.text("etc/passwd"), re.M)
    assert "deb-systemd-invoke start larder.service" in root.requests()
    folder = (root.folder / "etc/larder").stat()
    assert (folder.st_mode & 0o7777, folder.st_uid) == (0o750, 0)
    assert folder.st_gid == int(re.findall(r"^larder:x:(\d+):", root.text("etc/group"), re.M)[0])

    (root.folder / "etc/larder/larder.toml").write_text("port = 9\n")
    root.dpkg("--install", newer)
    assert root.text("etc/larder/larder.toml") == "port = 9\n"
    assert "deb-systemd-invoke try-restart larder.service" in root.requests()

    (root.folder / "var/lib/larder/cache.snapshot").write_text("items")
    root.dpkg("--remove", "larder")
    assert "deb-systemd-invoke stop larder.service" in root.requests()
    assert root.files() - before == {
        "etc/larder",
        "etc/larder/larder.toml",
        "var/lib/larder",
        "var/lib/larder/cache.snapshot",
    }

    root.dpkg("--purge", "larder")
    assert root.files() == before
    assert [root.text(name) for name in ACCOUNTS] == accounts
    assert "deb-systemd-helper purge larder.service" in root.requests()


def _base(folder: Path) -> Path:
    """Build fake Debian packages of the image's libraries, and return their folder."""
    files = {
        "libc6": (
            "lib/x86_64-linux-gnu/libc.so.6",
            "usr/lib/x86_64-linux-gnu/gconv/EBCDIC.so",
            "usr/share/doc/libc6/copyright",
        ),
        "libssl3": (
            "usr/lib/x86_64-linux-gnu/libssl.so.3",
            "usr/share/doc/libssl3/copyright",
            "usr/share/doc/libssl3/news",
        ),
        "ca-certificates": ("usr/share/ca-certificates/b.crt", "usr/share/ca-certificates/a.crt", "usr/sbin/update"),
    }
    (folder / "debs").mkdir(parents=True)
    for name, paths in files.items():
        for path in paths:
            (folder / name / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / name / path).write_text(f"{path}\n")
        (folder / name / "DEBIAN").mkdir()
        control = f"Package: {name}\nVersion: 1\nArchitecture: amd64\nMaintainer: none\nDescription: fake\n"
        (folder / name / "DEBIAN/control").write_text(control)
        command = ["dpkg-deb", "--root-owner-group", "-b", folder / name, folder / "debs" / f"{name}.deb"]
        subprocess.run(command, check=True, capture_output=True)
    return folder / "debs"


def _image(packages: Path, base: Path, output: Path) -> Path:
    output.mkdir()
    environ = os.environ | {"SOURCE_DATE_EPOCH": "1700000000"}
    command = [LINUX / "image", packages / DEB, base, output]
    done = subprocess.run(command, env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return output / f"{ARCHIVE}.oci.tar"


def _blob(archive: tarfile.TarFile, digest: str) -> Any:
    extracted = archive.extractfile(f"./blobs/{digest.replace(':', '/')}")
    assert extracted is not None
    return json.load(extracted)


@pytest.fixture(scope="module")
def image(packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("umoci") is None:
        pytest.skip("umoci is not installed: tools/setup image")
    folder = tmp_path_factory.mktemp("image")
    return _image(packages, _base(folder / "base"), folder / "image")


def test_image_contains_program_libraries_and_licences_only(image: Path) -> None:
    members: dict[str, tarfile.TarInfo] = {}
    with tarfile.open(image) as archive:
        index = json.load(archive.extractfile("./index.json") or pytest.fail())
        manifest = _blob(archive, index["manifests"][0]["digest"])
        for layer in manifest["layers"]:
            with tarfile.open(fileobj=archive.extractfile(f"./blobs/{layer['digest'].replace(':', '/')}")) as opened:
                members |= {member.name.removeprefix("./"): member for member in opened.getmembers()}
                bundle = next(
                    (opened.extractfile(each) for each in opened if each.name.endswith("ca-certificates.crt")), None
                )
                if bundle is not None:
                    assert (
                        bundle.read().decode() == "usr/share/ca-certificates/a.crt\nusr/share/ca-certificates/b.crt\n"
                    )
    papers = {"copyright", "changelog.gz", "THIRD-PARTY-NOTICES.txt.gz"}
    wanted = {f"usr/share/doc/larder/{name}" for name in papers}
    wanted |= {"usr/share/doc/libc6/copyright", "usr/share/doc/libssl3/copyright", "etc/ssl/certs/ca-certificates.crt"}
    wanted |= {"usr/lib/x86_64-linux-gnu/libc.so.6", "usr/lib/x86_64-linux-gnu/libssl.so.3", "etc/passwd", "etc/group"}
    wanted |= {f"var/lib/dpkg/status.d/{name}" for name in ("libc6", "libssl3", "ca-certificates")}
    assert {name for name, each in members.items() if each.isfile()} == wanted | {
        "usr/bin/larder",
        "etc/larder/larder.toml",
    }
    assert {name: each.linkname for name, each in members.items() if each.issym()} == {
        "lib": "usr/lib",
        "lib64": "usr/lib64",
    }
    owned = {name: (each.uid, each.gid) for name, each in members.items() if each.uid != 0}
    assert owned == {"var/lib/larder": (1654, 1654)}
    assert members["tmp"].mode == 0o1777 and members["usr/bin/larder"].mode == 0o755


def test_image_runs_server_as_unprivileged_user(image: Path) -> None:
    with tarfile.open(image) as archive:
        [loaded] = json.load(archive.extractfile("./manifest.json") or pytest.fail())
        config = json.load(archive.extractfile(f"./{loaded['Config']}") or pytest.fail())
    assert loaded["RepoTags"] == [f"larder:{VERSION}"]
    assert (config["os"], config["architecture"], config["created"]) == ("linux", "amd64", "2023-11-14T22:13:20Z")
    ran = config["config"]
    dockerfile = (ROOT / "deploy/docker/Dockerfile").read_text()
    assert ran["User"] == "1654:1654" and "\nUSER 1654\n" in dockerfile
    assert ran["Entrypoint"] == ["/usr/bin/larder"]
    assert f"\nCMD {json.dumps(ran['Cmd'])}" in dockerfile
    assert {port.removesuffix("/tcp") for port in ran["ExposedPorts"]} == {"8080", "8081"}
    assert ran["Labels"]["org.opencontainers.image.version"] == VERSION


def test_image_build_is_reproducible(image: Path, packages: Path, tmp_path: Path) -> None:
    assert _image(packages, _base(tmp_path / "base"), tmp_path / "image").read_bytes() == image.read_bytes()
