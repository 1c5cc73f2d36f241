"""Where the server is and what proves that we may use it."""

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

# Source: docs/names.md; `larder serve` listens there unless told otherwise.
DEFAULT_PORT = 8080

_FORM = "http[s]://[token@]host[:port]"
# larder: and larders: are other names of the same two schemes.
_TLS_OF_SCHEME = {"http": False, "https": True, "larder": False, "larders": True}
_CERTIFICATE = re.compile(b"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", re.DOTALL)
# GATEWAY-1.
MOST_GATEWAYS = 64
_SERVER = re.compile(r"(\[[^\]\s]+\]|[^\s:@/?#\[\]]+)(?::(\d+))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class CredentialProvider:
    """An endpoint (`host:port`), a token, and whether the connection is TLS. The token is never printed.

    Of several servers of one fleet (protocol/spec/gateways.md) it is the first, and `others` are the rest.
    """

    endpoint: str
    token: str = field(default="", repr=False)
    tls: bool = True
    # The authority to trust in place of the system's, as PEM; None: gRPC's default roots.
    root_certificates: bytes | None = field(default=None, repr=False)
    # Servers that hold the same items, each with its own token; all with TLS, or none.
    others: tuple[CredentialProvider, ...] = ()
    # Gives the token of all servers, in place of theirs; None: nothing does.
    token_provider: TokenProvider | None = field(default=None, repr=False)
    # Whom to trust and what to show, by files.
    tls_files: TlsFiles | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        server = _SERVER.fullmatch(self.endpoint)
        if server is None or server[2] is None:
            raise ValueError(f"an endpoint is host:port, not {_without_token(self.endpoint)!r}")
        if not 0 < int(server[2]) < 65_536:
            raise ValueError(f"the port of {self.endpoint!r} is not from 1 to 65535")
        object.__setattr__(self, "endpoint", f"{_host(server[1])}:{server[2]}")
        if not self.token.isascii() or not (self.token.isprintable() or not self.token):
            raise ValueError("a token is printable ASCII: it travels in a header")
        if self.root_certificates is not None:
            if not isinstance(cast(Any, self.root_certificates), bytes):
                raise TypeError("root_certificates are bytes: a PEM file's content")
            try:
                # Empty text would stand for the system's authorities.
                ssl.create_default_context(cadata=self.trusted_pem() or "none")
            except (ssl.SSLError, ValueError) as error:
                raise ValueError(f"root_certificates hold no certificate that can be read: {error}") from None

        for number, other in enumerate(self.others, 2):
            if other.tls != self.tls:
                raise ValueError(f"server {number}, {other.endpoint!r}, is not reached as the first: TLS, or none")
            if other.endpoint.lower() in [self.endpoint.lower()] + [
                o.endpoint.lower() for o in self.others[: number - 2]
            ]:
                raise ValueError(f"server {number}, {other.endpoint!r}, is there twice")
        if len(self.others) >= MOST_GATEWAYS:
            raise ValueError(
                f"there are {len(self.others) + 1} servers; at most {MOST_GATEWAYS} can be gateways of a client"
            )

    def gateways(self) -> tuple[CredentialProvider, ...]:
        """Every server by itself."""
        return (replace(self, others=()), *self.others) if self.others else (self,)

    def with_token(self, token: str | TokenProvider | TokenFunction) -> CredentialProvider:
        """The same servers, each shown this token, or the one that a provider gives; an empty text: none.

        A provider is asked before the first call, and again when the server refuses what it gave, at most once a second
        (protocol/spec/auth.md). A function is as `TokenProvider` takes it.
        """
        if isinstance(token, str):
            own: dict[str, Any] = {"token": token, "token_provider": None}
        else:
            provider = token if isinstance(token, TokenProvider) else TokenProvider(token)
            own = {"token": "", "token_provider": provider}
        return replace(self, **own, others=tuple(replace(other, **own) for other in self.others))

    def with_tls(self, options: TlsOptions) -> CredentialProvider:
        """The same servers, with files for TLS: whom to trust, and what to show.

        They are read and checked now, and again for each connection once they have changed. ValueError says which file
        is at fault, and how; also where the servers have no TLS.
        """
        if not self.tls:
            raise ValueError(f"{self.endpoint!r} is reached without TLS: the address begins with https://")
        if self.root_certificates is not None and options.authority_files:
            raise ValueError("the authority to trust is given twice: as root_certificates, and in authority_files")
        files = TlsFiles(options, self.trusted_pem())
        return replace(self, tls_files=files, others=tuple(replace(other, tls_files=files) for other in self.others))

    @property
    def server_name(self) -> str:
        """The name to ask for, and to find in the server's certificate."""
        own = None if self.tls_files is None else self.tls_files.options.server_name
        return own or self.endpoint.rpartition(":")[0].strip("[]")

    def trusted_pem(self) -> str:
        """The certificates of `root_certificates`, without what stands between them (comments, in any encoding)."""
        blocks = _CERTIFICATE.findall(self.root_certificates or b"")
        return b"\n".join(blocks).decode("ascii")

    @staticmethod
    def local(host: str = "127.0.0.1", *, port: int = DEFAULT_PORT) -> CredentialProvider:
        """A server on this machine, in plaintext, without a token."""
        return CredentialProvider(endpoint=f"{host}:{port}", tls=False)

    @staticmethod
    def from_string(text: str, *, root_certificates: bytes | None = None) -> CredentialProvider:
        """Parse `http://[token@]host[:port]` (plaintext) or `https://[token@]host[:port]` (TLS), or up to 64 of them.

        Several have commas between. The port is 8080 where none is given; `larder://` and `larders://` say the same as
        `http://` and `https://`. A character of the token that an address has no room for (`/`, `@`, `%`, `,`) is
        percent-encoded. Raises ValueError for anything else, a path say, naming what was given without its token.
        """
        parts = text.split(",")
        if len(parts) == 1:
            return _parsed(text, root_certificates)
        if len(parts) > MOST_GATEWAYS:
            raise ValueError(
                f"the list has {len(parts)} addresses; at most {MOST_GATEWAYS} can be gateways of one client"
            )
        gateways: list[CredentialProvider] = []
        for number, part in enumerate(parts, 1):
            try:
                if not part.strip():
                    raise ValueError("it is empty")
                gateway = _parsed(part, root_certificates)
                CredentialProvider.of_gateways([*gateways, gateway])
            except ValueError as error:
                why = (
                    f"the list of servers' addresses (a comma in a token is written %2C): part {number} of {len(parts)}"
                )
                raise ValueError(f"{why}: {error}") from None
            gateways.append(gateway)
        return CredentialProvider.of_gateways(gateways)

    @staticmethod
    def of_gateways(gateways: Sequence[CredentialProvider]) -> CredentialProvider:
        """Make one of several servers, each with its own token. Raises ValueError where they do not go together."""
        return replace(gateways[0], others=tuple(gateways[1:]))

    @staticmethod
    def from_environment_variable(name: str = "LARDER_URL") -> CredentialProvider:
        """Read an environment variable as `from_string` does. Raises ValueError where it is not set."""
        text = os.environ.get(name)
        if not text or text.isspace():
            raise ValueError(f"the environment variable {name} is not set; it reads {_FORM}")
        try:
            return CredentialProvider.from_string(text)
        except ValueError as error:
            raise ValueError(f"the environment variable {name}: {error}") from None


def _parsed(text: str, root_certificates: bytes | None) -> CredentialProvider:
    """Read one server's address."""
    text = text.strip()
    scheme, separator, rest = text.partition("://")
    if not separator:
        raise ValueError(f"a server's address reads {_FORM}; what was given has no ://, and may be a bare token")
    tls = _TLS_OF_SCHEME.get(scheme.lower())
    if tls is None:
        raise _refused(text, "it begins with none of http://, https://, larder:// and larders://")
    authority = re.split("[/?#]", rest, maxsplit=1)[0]
    if rest.removeprefix(authority) not in ("", "/"):
        raise _refused(text, "nothing comes after the port (a / in a token is written %2F)")
    token, _, server = authority.rpartition("@")
    parts = _SERVER.fullmatch(server)
    if parts is None:
        raise _refused(text, "its host or port cannot be read" if server else "it has no host")
    port = DEFAULT_PORT if parts[2] is None else int(parts[2])
    if not 0 < port < 65_536:
        raise _refused(text, f"its port is not from 1 to 65535 but {port}")
    return CredentialProvider(
        endpoint=f"{parts[1]}:{port}", token=unquote(token), tls=tls, root_certificates=root_certificates
    )


def _host(host: str) -> str:
    """Return a host as the network takes it. Raises ValueError where it is no name and no address."""
    try:
        name = host.encode("idna").decode("ascii") if host[0] != "[" else f"[{ipaddress.IPv6Address(host[1:-1])}]"
    except ValueError as error:
        raise ValueError(f"the host {host!r} is no name or address: {error}") from None
    if not name.strip(".") or not (name.isprintable() and name.isascii()):
        raise ValueError(f"the host {host!r} is no name or address")
    return name


def _refused(text: str, why: str) -> ValueError:
    return ValueError(f"{_without_token(text)!r} does not read {_FORM}: {why}")


def _without_token(text: str) -> str:
    """What was given, fit to print: all that may be a token, before the last @ or after a ?, is left out."""
    scheme = re.match("[A-Za-z]+://", text)
    start = scheme[0] if scheme else ""
    before, at, after = text[len(start) :].rpartition("@")
    return start + ("…@" if before else at) + re.sub(r"[?#].+", "?…", after)
