"""The address of the server and the credentials for that server."""

from __future__ import annotations

import ipaddress
import os
import re
import ssl
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast
from urllib.parse import unquote

from larder_cache._internal.configuration.tls_files import TlsFiles, TlsOptions
from larder_cache.token_provider import TokenFunction, TokenProvider

# The default port of `larder serve`. Source: docs/names.md.
DEFAULT_PORT = 8080

_FORM = "http[s]://[token@]host[:port]"
# `larder:` and `larders:` are aliases of `http:` and `https:`.
_TLS_OF_SCHEME = {"http": False, "https": True, "larder": False, "larders": True}
_CERTIFICATE = re.compile(b"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", re.DOTALL)
# The maximum number of gateways (GATEWAY-1).
MOST_GATEWAYS = 64
_SERVER = re.compile(r"(\[[^\]\s]+\]|[^\s:@/?#\[\]]+)(?::(\d+))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class CredentialProvider:
    """An endpoint (`host:port`), a token, and whether to use TLS. The token is never printed.

    If there are several servers of one fleet (protocol/spec/gateways.md), this object is the first server, and `others`
    contains the rest.
    """

    endpoint: str
    token: str = field(default="", repr=False)
    tls: bool = True
    # The certificates of the authorities to trust, in PEM format. None selects the authorities of the system.
    root_certificates: bytes | None = field(default=None, repr=False)
    # Further servers with the same items. Each has its own token. Either all servers use TLS, or none does.
    others: tuple[CredentialProvider, ...] = ()
    # Provides the token of all servers and replaces their own tokens. None if there is no provider.
    token_provider: TokenProvider | None = field(default=None, repr=False)
    # The files with the trusted authorities and the client certificate.
    tls_files: TlsFiles | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        server = _SERVER.fullmatch(self.endpoint)
        if server is None or server[2] is None:
            raise ValueError(f"endpoint must be host:port, not {_without_token(self.endpoint)!r}")
        if not 0 < int(server[2]) < 65_536:
            raise ValueError(f"the port of {self.endpoint!r} must be from 1 to 65535")
        object.__setattr__(self, "endpoint", f"{_host(server[1])}:{server[2]}")
        if not self.token.isascii() or not (self.token.isprintable() or not self.token):
            raise ValueError("the token must be printable ASCII, because it is sent in a header")
        if self.root_certificates is not None:
            if not isinstance(cast(Any, self.root_certificates), bytes):
                raise TypeError("root_certificates must be bytes, the content of a PEM file")
            try:
                # An empty text would select the authorities of the system. Pass "none" instead, which is rejected.
                ssl.create_default_context(cadata=self.trusted_pem() or "none")
            except (ssl.SSLError, ValueError) as error:
                raise ValueError(f"root_certificates contains no valid certificate: {error}") from None

        for number, other in enumerate(self.others, 2):
            if other.tls != self.tls:
                raise ValueError(
                    f"server 1 and server {number} ({other.endpoint!r}) differ in TLS; "
                    "use TLS for all servers or for none"
                )
            if other.endpoint.lower() in [self.endpoint.lower()] + [
                o.endpoint.lower() for o in self.others[: number - 2]
            ]:
                raise ValueError(f"server {number}, {other.endpoint!r}, is a duplicate")
        if len(self.others) >= MOST_GATEWAYS:
            raise ValueError(f"there are {len(self.others) + 1} servers; at most {MOST_GATEWAYS} are allowed")

    def gateways(self) -> tuple[CredentialProvider, ...]:
        """Return one provider for each server."""
        return (replace(self, others=()), *self.others) if self.others else (self,)

    def with_token(self, token: str | TokenProvider | TokenFunction) -> CredentialProvider:
        """Return a copy that uses this token for every server. An empty string means no token.

        With a TokenProvider, a client requests a token before its first call, and again when the server rejects the
        token, at most once a second (protocol/spec/auth.md). A function is wrapped in a `TokenProvider`.
        """
        if isinstance(token, str):
            own: dict[str, Any] = {"token": token, "token_provider": None}
        else:
            provider = token if isinstance(token, TokenProvider) else TokenProvider(token)
            own = {"token": "", "token_provider": provider}
        return replace(self, **own, others=tuple(replace(other, **own) for other in self.others))

    def with_tls(self, options: TlsOptions) -> CredentialProvider:
        """Return a copy that uses files for TLS: trusted authorities and a client certificate.

        The files are read and validated now. If they have changed, they are read and validated again for each new
        connection.

        Raises:
            ValueError: A file is invalid (the message contains its name), or the servers do not use TLS.
        """
        if not self.tls:
            raise ValueError(f"TLS options need an https:// address, but {self.endpoint!r} does not use TLS")
        if self.root_certificates is not None and options.authority_files:
            raise ValueError("root_certificates and authority_files are mutually exclusive; set one of them")
        files = TlsFiles(options, self.trusted_pem())
        return replace(self, tls_files=files, others=tuple(replace(other, tls_files=files) for other in self.others))

    @property
    def server_name(self) -> str:
        """The name that is sent for SNI and that the server's certificate must have.

        It is the `server_name` of the TLS options, or the host of the endpoint if that is not set.
        """
        own = None if self.tls_files is None else self.tls_files.options.server_name
        return own or self.endpoint.rpartition(":")[0].strip("[]")

    def trusted_pem(self) -> str:
        """Return the certificates of `root_certificates` without the text between them.

        That text contains comments, which may have any encoding.
        """
        blocks = _CERTIFICATE.findall(self.root_certificates or b"")
        return b"\n".join(blocks).decode("ascii")

    @staticmethod
    def local(host: str = "127.0.0.1", *, port: int = DEFAULT_PORT) -> CredentialProvider:
        """Return credentials for a plaintext connection to a server on this machine, without a token."""
        return CredentialProvider(endpoint=f"{host}:{port}", tls=False)

    @staticmethod
    def from_string(text: str, *, root_certificates: bytes | None = None) -> CredentialProvider:
        """Parse the address of one server or the addresses of up to 64 servers.

        The form is `http://[token@]host[:port]` (plaintext) or `https://[token@]host[:port]` (TLS). Separate several
        addresses with commas. The default port is 8080. `larder://` and `larders://` are aliases of `http://` and
        `https://`. Percent-encode reserved characters in the token (`/`, `@`, `%`, `,`).

        Raises:
            ValueError: The text has a different form, for example it contains a path. The message contains the text
                without its token.
        """
        parts = text.split(",")
        if len(parts) == 1:
            return _parsed(text, root_certificates)
        if len(parts) > MOST_GATEWAYS:
            raise ValueError(f"the list has {len(parts)} addresses; at most {MOST_GATEWAYS} are allowed")
        gateways: list[CredentialProvider] = []
        for number, part in enumerate(parts, 1):
            try:
                if not part.strip():
                    raise ValueError("the address is empty")
                gateway = _parsed(part, root_certificates)
                CredentialProvider.of_gateways([*gateways, gateway])
            except ValueError as error:
                where = f"part {number} of {len(parts)} of the address list"
                raise ValueError(f"{where}: {error} (in a token, write a comma as %2C)") from None
            gateways.append(gateway)
        return CredentialProvider.of_gateways(gateways)

    @staticmethod
    def of_gateways(gateways: Sequence[CredentialProvider]) -> CredentialProvider:
        """Combine several servers. Each keeps its own token. Raises ValueError if the servers are incompatible."""
        return replace(gateways[0], others=tuple(gateways[1:]))

    @staticmethod
    def from_environment_variable(name: str = "LARDER_URL") -> CredentialProvider:
        """Parse the value of an environment variable with `from_string`.

        Raises ValueError if the variable is not set.
        """
        text = os.environ.get(name)
        if not text or text.isspace():
            raise ValueError(f"the environment variable {name} is not set; set it to {_FORM}")
        try:
            return CredentialProvider.from_string(text)
        except ValueError as error:
            raise ValueError(f"the environment variable {name} is invalid: {error}") from None


def _parsed(text: str, root_certificates: bytes | None) -> CredentialProvider:
    """Parse the address of one server."""
    text = text.strip()
    scheme, separator, rest = text.partition("://")
    if not separator:
        raise ValueError(
            f"a server address must be {_FORM}, but the value has no ://; if the value is a token, pass the address too"
        )
    tls = _TLS_OF_SCHEME.get(scheme.lower())
    if tls is None:
        raise _refused(text, "the scheme must be http, https, larder or larders")
    authority = re.split("[/?#]", rest, maxsplit=1)[0]
    if rest.removeprefix(authority) not in ("", "/"):
        raise _refused(text, "the address must have no path, query or fragment; in a token, write / as %2F")
    token, _, server = authority.rpartition("@")
    parts = _SERVER.fullmatch(server)
    if parts is None:
        raise _refused(text, "the host or port is invalid" if server else "the host is missing")
    port = DEFAULT_PORT if parts[2] is None else int(parts[2])
    if not 0 < port < 65_536:
        raise _refused(text, f"the port must be from 1 to 65535, not {port}")
    return CredentialProvider(
        endpoint=f"{parts[1]}:{port}", token=unquote(token), tls=tls, root_certificates=root_certificates
    )


def _host(host: str) -> str:
    """Return a host in IDNA form or as an IP address. Raises ValueError if the host is invalid."""
    try:
        name = host.encode("idna").decode("ascii") if host[0] != "[" else f"[{ipaddress.IPv6Address(host[1:-1])}]"
    except ValueError as error:
        raise ValueError(f"the host {host!r} is not a valid name or address: {error}") from None
    if not name.strip(".") or not (name.isprintable() and name.isascii()):
        raise ValueError(f"the host {host!r} is not a valid name or address")
    return name


def _refused(text: str, why: str) -> ValueError:
    return ValueError(f"invalid server address {_without_token(text)!r}: {why}; use {_FORM}")


def _without_token(text: str) -> str:
    """Return an address for printing.

    It omits everything that may be a token: the text before the last @ and the text after a ? or #.
    """
    scheme = re.match("[A-Za-z]+://", text)
    start = scheme[0] if scheme else ""
    before, at, after = text[len(start) :].rpartition("@")
    return start + ("…@" if before else at) + re.sub(r"[?#].+", "?…", after)
