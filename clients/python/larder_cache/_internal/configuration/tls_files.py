"""Files for TLS: trusted authorities and the client certificate."""

from __future__ import annotations

import os
import re
import ssl
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

_CERTIFICATE = re.compile(b"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", re.DOTALL)
_KEY = re.compile(b"-----BEGIN [A-Z ]*PRIVATE KEY-----")
_NAME = re.compile("[A-Za-z0-9_.:-]{1,253}")
# OpenSSL's reason if the key does not match the certificate.
_MISMATCH = "KEY_VALUES_MISMATCH"


@dataclass(frozen=True, slots=True, kw_only=True)
class TlsOptions:
    """The files for TLS, all in PEM format. If a file has changed, the next connection uses its new contents."""

    # The authorities to trust instead of the system's.
    authority_files: tuple[str | Path, ...] = ()
    # The client's certificate, followed by its intermediate certificates. Requires `key_file`.
    certificate_file: str | Path | None = None
    # The private key of the certificate.
    key_file: str | Path | None = None
    # The password of an encrypted key. None if the key is not encrypted.
    key_password: str | None = field(default=None, repr=False)
    # The name that is used for SNI and for verifying the server's certificate, instead of the host of the address.
    server_name: str | None = None

    def __post_init__(self) -> None:
        files = cast(Any, self.authority_files)
        if isinstance(files, (str, Path)):
            object.__setattr__(self, "authority_files", (files,))
        if (self.certificate_file is None) != (self.key_file is None):
            raise ValueError("certificate_file and key_file must be set together, but only one is set")
        password = cast(Any, self.key_password)
        if password is not None and not isinstance(password, str):
            raise TypeError(f"key_password must be str, not {type(password).__name__}")
        if password is not None and self.key_file is None:
            raise ValueError("key_password is set without key_file; set both")
        if self.server_name is not None and not _NAME.fullmatch(self.server_name):
            raise ValueError(f"server_name must be a host name, not {self.server_name!r}")


@dataclass(frozen=True, slots=True)
class Material:
    """The contents of the files, and an SSL context.

    The files contain the authorities, the client's certificates and its key in PEM format.
    """

    authorities: bytes | None
    chain: bytes | None
    key: bytes | None = field(repr=False)
    context: ssl.SSLContext = field(repr=False)


class TlsFiles:
    """The current TLS material. If a file becomes invalid, the previous contents stay in use."""

    def __init__(self, options: TlsOptions, trusted: str = "") -> None:
        """Read and validate the files.

        Args:
            options: The names of the files.
            trusted: Further authorities, in PEM format.

        Raises:
            ValueError: A file is invalid. The message contains the name of the file.
        """
        if not isinstance(cast(Any, options), TlsOptions):
            raise TypeError("options must be a TlsOptions")
        self.options = options
        self._trusted = trusted.encode()
        self._lock = threading.Lock()
        self._seen = self._state()
        self._material = self._read()

    def material(self) -> Material:
        """Return the material for a new connection."""
        with self._lock:
            if (state := self._state()) != self._seen:
                try:
                    self._material = self._read()
                    self._seen = state
                except ValueError:
                    # Another process may be writing a file. Use the previous contents for this connection. Read the
                    # files again for the next connection.
                    pass
            return self._material

    def _state(self) -> list[tuple[int, int, int] | None]:
        # Follow symbolic links, because a mounted secret is replaced by changing a link.
        found: list[tuple[int, int, int] | None] = []
        for path in (*self.options.authority_files, self.options.certificate_file, self.options.key_file):
            if path is not None:
                try:
                    there = os.stat(path)
                    found.append((there.st_mtime_ns, there.st_size, there.st_ino))
                except OSError:
                    found.append(None)
        return found

    def _read(self) -> Material:
        options = self.options
        trusted = [self._trusted] if self._trusted else []
        trusted += [_certificates(path, "the authority file") for path in options.authority_files]
        authorities = b"\n".join(trusted) or None
        try:
            context = ssl.create_default_context(cadata=None if authorities is None else authorities.decode("ascii"))
        except (ssl.SSLError, ValueError) as error:
            names = ", ".join(repr(str(path)) for path in options.authority_files)
            raise ValueError(f"authority_files contains an invalid certificate: {error} (files: {names})") from None
        context.set_alpn_protocols(["h2"])
        chain = key = None
        if options.certificate_file is not None and options.key_file is not None:
            chain = _certificates(options.certificate_file, "the client certificate file")
            key = _key(options.key_file, options.key_password)
            _load(context, options.certificate_file, options.key_file, options.key_password)
            _require_now(options.certificate_file, chain)
        return Material(authorities, chain, key, context)


def _read_file(path: str | Path, what: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ValueError(f"{what} {str(path)!r} cannot be read: {error.strerror}") from None


def _certificates(path: str | Path, what: str) -> bytes:
    text = _read_file(path, what)
    found = _CERTIFICATE.findall(text)
    if not found:
        hint = (
            " but a private key; check whether certificate_file and key_file are swapped" if _KEY.search(text) else ""
        )
        raise ValueError(f"{what} {str(path)!r} contains no certificate (-----BEGIN CERTIFICATE-----){hint}")
    return b"\n".join(found) + b"\n"


def _key(path: str | Path, password: str | None) -> bytes:
    what = "the key file"
    text = _read_file(path, what)
    if not _KEY.search(text):
        hint = (
            " but a certificate; check whether certificate_file and key_file are swapped"
            if b"BEGIN CERTIFICATE" in text
            else ""
        )
        raise ValueError(f"{what} {str(path)!r} contains no private key (-----BEGIN PRIVATE KEY-----){hint}")
    is_encrypted = b"ENCRYPTED" in text
    if is_encrypted and password is None:
        raise ValueError(f"{what} {str(path)!r} is encrypted; set key_password")
    if not is_encrypted and password is not None:
        raise ValueError(f"{what} {str(path)!r} is not encrypted, but key_password is set; remove it")
    return text


def _load(context: ssl.SSLContext, certificate: str | Path, key: str | Path, password: str | None) -> None:
    try:
        # Always pass a password; otherwise OpenSSL would prompt on the terminal.
        context.load_cert_chain(certificate, key, password=password or "")
    except (ssl.SSLError, OSError, ValueError) as error:
        names = f"the certificate in {str(certificate)!r} or the key in {str(key)!r} cannot be read"
        if password is not None:
            names = f"the certificate in {str(certificate)!r} cannot be read, or key_password is wrong for {str(key)!r}"
        if getattr(error, "reason", "") == _MISMATCH:
            names = f"the key in {str(key)!r} does not match the certificate in {str(certificate)!r}"
        raise ValueError(names) from None


def _require_now(path: str | Path, chain: bytes) -> None:
    """Raise ValueError if the first certificate of a chain has expired or is not yet valid."""
    begins, ends = validity_of(ssl.PEM_cert_to_DER_cert(_CERTIFICATE.findall(chain)[0].decode("ascii")))
    now = datetime.now(UTC)
    if ends < now:
        raise ValueError(f"the certificate in {str(path)!r} expired on {ends:%Y-%m-%d %H:%M:%S} UTC; replace it")
    if begins > now:
        raise ValueError(
            f"the certificate in {str(path)!r} is not valid before {begins:%Y-%m-%d %H:%M:%S} UTC; "
            "check the system clock"
        )


def validity_of(der: bytes) -> tuple[datetime, datetime]:
    """Return the start and the end of a certificate's validity.

    This function parses the certificate itself, because the standard library only parses the certificates of peers.

    RFC 5280, section 4.1: SEQUENCE { SEQUENCE { [0] version, serial, algorithm, issuer, SEQUENCE { begins, ends }, …
    """
    _, at, _ = _element(der, 0)
    _, at, _ = _element(der, at)
    tag, _, _ = _element(der, at)
    # The version is optional. Three more elements precede the validity.
    for _ in range(3 if tag != 0xA0 else 4):
        _, _, at = _element(der, at)
    _, at, _ = _element(der, at)
    _, _, end = _element(der, at)
    return _time(der, at), _time(der, end)


def _element(der: bytes, at: int) -> tuple[int, int, int]:
    """Return the tag of an element, the start of its content, and its end."""
    length, first = der[at + 1], at + 2
    if length > 0x7F:
        first += length & 0x7F
        length = int.from_bytes(der[at + 2 : first], "big")
    return der[at], first, first + length


def _time(der: bytes, at: int) -> datetime:
    tag, first, end = _element(der, at)
    text = der[first:end].decode("ascii")
    # UTCTime has two-digit years, from 1950 to 2049.
    year = "" if tag == 0x18 else "19" if text[:2] >= "50" else "20"
    return datetime.strptime(year + text, "%Y%m%d%H%M%SZ").replace(tzinfo=UTC)


# Messages for OpenSSL's results of verifying a server's certificate (X509_V_ERR_…).
_NOT_TRUSTED = "the server's certificate is from an authority that this client does not trust"
_ANOTHER_NAME = "the server's certificate is for another host name"
_VERDICTS = {
    9: "the server's certificate is not valid yet",
    10: "the server's certificate has expired",
    18: "the server's certificate is self-signed and this client does not trust it",
    19: _NOT_TRUSTED,
    20: _NOT_TRUSTED,
    21: _NOT_TRUSTED,
    62: _ANOTHER_NAME,
    64: _ANOTHER_NAME,
}
# Some servers send no TLS alert. Such a server closes the connection if it requires a client certificate and gets none
# that it accepts.
CLOSED = "the server closed the connection after the TLS handshake; it may require a different client certificate"
# Messages for the TLS alerts with which a server rejects a client certificate. The keys are OpenSSL's reason codes.
_ALERTS = {
    "TLSV13_ALERT_CERTIFICATE_REQUIRED": "the server requires a client certificate; set certificate_file and key_file",
    "TLSV1_ALERT_UNKNOWN_CA": "the server does not trust the authority of the client certificate",
    "SSLV3_ALERT_CERTIFICATE_EXPIRED": "the client certificate has expired",
    "SSLV3_ALERT_BAD_CERTIFICATE": "the server rejected the client certificate",
    "SSLV3_ALERT_CERTIFICATE_UNKNOWN": "the server rejected the client certificate",
}


def tls_reason(failure: BaseException | None) -> str | None:
    """Return a readable reason for a TLS failure, or None if only OpenSSL's message is available."""
    if isinstance(failure, ssl.SSLCertVerificationError):
        return _VERDICTS.get(failure.verify_code)
    return _ALERTS.get(failure.reason) if isinstance(failure, ssl.SSLError) else None
