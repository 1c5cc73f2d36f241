"""A root folder with only a C library, OpenSSL and the programs that Debian's package scripts call. It has no .NET."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

# The programs that maintainer scripts call. STAND_IN replaces the programs of systemd.
PROGRAMS = ("sh", "env", "cat", "rm", "chgrp", "chmod", "kill", "mkdir", "chown", "sleep", "setpriv")
SYSTEM_PROGRAMS = ("getent", "useradd", "userdel", "groupdel", "nologin")
# The libraries of the packages libc6 and libssl3.
LIBRARIES = ("libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libssl.so.3", "libcrypto.so.3")
# The packages that are recorded as installed in dpkg's database.
PROVIDED = ("libc6", "libssl3", "init-system-helpers", "passwd")
STATUS = "Package: {name}\nStatus: install ok installed\nMaintainer: none\nArchitecture: {architecture}\n"
STATUS += "Version: 99\nDescription: stand-in\n\n"
# The files with users and groups.
ACCOUNTS = ("etc/passwd", "etc/group", "etc/shadow", "etc/gshadow")
FILES = {
    "etc/passwd": "root:x:0:0:root:/root:/bin/sh\n",
    "etc/group": "root:x:0:\n",
    "etc/shadow": "root:*:19000:0:99999:7:::\n",
    "etc/gshadow": "root:*::\n",
    "etc/login.defs": "SYS_UID_MIN 100\nSYS_UID_MAX 999\nSYS_GID_MIN 100\nSYS_GID_MAX 999\n",
    "etc/nsswitch.conf": "passwd: files\ngroup: files\nshadow: files\n",
}
# A shell script in place of systemd's programs. It logs the requests of maintainer scripts, and starts and stops the
# unit's command as the unit's user.
STAND_IN = r"""#!/bin/sh
echo "${0##*/} $*" >>/run/systemd.log
[ "${0##*/}" = deb-systemd-invoke ] || exit 0
stop() {
  [ -e /run/larder.pid ] || return 1
  kill "$(cat /run/larder.pid)"
  while kill -0 "$(cat /run/larder.pid)" 2>/dev/null; do sleep 0.05; done
  rm /run/larder.pid
}
start() {
  mkdir -p /var/lib/larder
  chown larder:larder /var/lib/larder
  unit=/usr/lib/systemd/system/larder.service
  set -- $(while read -r line; do case $line in ExecStart=*) echo "${line#ExecStart=}" ;; esac; done <$unit)
  setpriv --reuid larder --regid larder --clear-groups "$@" </dev/null >>/run/larder.log 2>&1 &
  echo $! >/run/larder.pid
}
case $1 in
  start) start ;;
  stop) stop || true ;;
  try-restart) if stop; then start; fi ;;
esac
"""


def _libraries(program: Path) -> list[Path]:
    listed = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
    return [Path(path) for path in re.findall(r"(?:=> )?(/\S+) \(0x", listed)]


class EmptyRoot:
    def __init__(self, folder: Path, inside: tuple[str, ...] = ()) -> None:
        """Create the root in an empty folder. The command `inside` starts its programs, for example in a network."""
        self.folder = folder
        self._inside = inside
        for name in ("bin", "sbin", "lib", "lib64"):
            (folder / "usr" / name).mkdir(parents=True)
            (folder / name).symlink_to(f"usr/{name}")
        for name in ("dev", "etc", "root", "run/systemd/system", "tmp", "var/lib/dpkg/info", "var/lib/dpkg/updates"):
            (folder / name).mkdir(parents=True)
        (folder / "tmp").chmod(0o1777)
        for device, minor in (("null", 3), ("urandom", 9)):
            os.mknod(folder / "dev" / device, 0o20666, os.makedev(1, minor))
            (folder / "dev" / device).chmod(0o666)
        for name, text in FILES.items():
            (folder / name).write_text(text)
        architecture = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True).stdout.strip()
        status = "".join(STATUS.format(name=name, architecture=architecture) for name in PROVIDED)
        (folder / "var/lib/dpkg/status").write_text(status)
        (folder / "var/lib/dpkg/available").touch()
        for name in (*PROGRAMS, *SYSTEM_PROGRAMS):
            found = shutil.which(name, path="/usr/bin:/usr/sbin:/bin:/sbin")
            assert found is not None, name
            self._copy(Path(found), "sbin" if name in SYSTEM_PROGRAMS else "bin")
        known = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
        for name in LIBRARIES:
            library = Path(re.findall(rf"^\s*{re.escape(name)} \(.*64.*=> (\S+)", known, re.M)[0])
            self._file(library)
            for needed in _libraries(library):
                self._file(needed)
        for name in ("systemctl", "deb-systemd-helper", "deb-systemd-invoke"):
            (folder / "usr/bin" / name).write_text(STAND_IN)
            (folder / "usr/bin" / name).chmod(0o755)

    def _copy(self, program: Path, where: str) -> None:
        shutil.copy(program.resolve(), self.folder / "usr" / where / program.name)
        for library in _libraries(program):
            self._file(library)

    def _file(self, path: Path) -> None:
        target = self.folder / str(path).lstrip("/")
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path.resolve(), target)

    def dpkg(self, *words: str | Path) -> str:
        """Run dpkg on this root. The package scripts run inside the root."""
        command = [*self._inside, "dpkg", f"--root={self.folder}", *words]
        environ = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"}
        done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def command(self, *words: str) -> list[str]:
        """Return the command that runs a program inside this root, with only its programs on the path."""
        return [
            *self._inside,
            "chroot",
            str(self.folder),
            "env",
            "-i",
            "PATH=/usr/local/bin:/usr/sbin:/usr/bin",
            *words,
        ]

    def outside(self, *words: str | Path) -> list[str]:
        """Return the command that runs a program of this machine in the network of this root."""
        return [*self._inside, *map(str, words)]

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(self.command(*words), capture_output=True, text=True, timeout=60)

    def files(self) -> set[str]:
        """Return the files and folders of the root.

        Excludes the files of dpkg and of processes, and the locks and backups of useradd.
        """
        found = {str(path.relative_to(self.folder)) for path in self.folder.rglob("*")}
        return {name for name in found if not re.match(r"(var/lib/dpkg|run)(/|$)|etc/(\w+-|\.pwd\.lock)$", name)}

    def text(self, name: str) -> str:
        return (self.folder / name).read_text()

    def requests(self) -> list[str]:
        """Return the logged requests of scripts to systemd, and clear the log."""
        log = self.folder / "run/systemd.log"
        lines = log.read_text().splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return lines
