"""Authorities and certificates for tests, created by openssl."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

needs_openssl = pytest.mark.skipif(
    shutil.which("openssl") is None, reason="openssl is not installed: apt-get install openssl"
)

_NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


class Certificates:
    """A certificate authority, and the certificates that it issues: NAME.pem and NAME.key in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.authority = folder / "ca.pem"
        name = ("-subj", "/CN=Larder test authority", "-days", "2")
        _openssl("req", "-x509", *_NEW_KEY, *name, "-keyout", folder / "ca.key", "-out", self.authority)

    def path(self, name: str) -> Path:
        """Return the path of a file."""
        return self.folder / name

    def issue(self, name: str, *, host: str = "", expired: bool = False) -> None:
        """Issue a server certificate if a host is given; otherwise, a client certificate for `name`."""
        request, extensions = self.path("request"), self.path("extensions")
        _openssl("req", *_NEW_KEY, "-subj", f"/CN={host or name}", "-keyout", self.path(f"{name}.key"), "-out", request)
        names = f"subjectAltName=DNS:{host}{',IP:127.0.0.1' if host == 'localhost' else ''}\n" if host else ""
        extensions.write_text(f"{names}extendedKeyUsage={'serverAuth' if host else 'clientAuth'}\n")
        by = ("-CA", self.authority, "-CAkey", self.path("ca.key"), "-CAcreateserial")
        # A negative number of days creates an expired certificate.
        ends = ("-days", "-1" if expired else "2", "-extfile", extensions)
        _openssl("x509", "-req", "-in", request, *by, *ends, "-out", self.path(f"{name}.pem"))

    def encrypt(self, name: str, password: str) -> Path:
        """Create a copy of NAME.key that is encrypted with a password."""
        path = self.path(f"{name}.encrypted.key")
        _openssl("pkcs8", "-topk8", "-in", self.path(f"{name}.key"), "-out", path, "-passout", f"pass:{password}")
        return path

    def swap(self, name: str, into: str) -> None:
        """Replace the certificate and key of one name with the certificate and key of another name."""
        for ending in ("pem", "key"):
            shutil.copyfile(self.path(f"{name}.{ending}"), self.path(f"{into}.{ending}"))


def _openssl(*arguments: str | Path) -> None:
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)
