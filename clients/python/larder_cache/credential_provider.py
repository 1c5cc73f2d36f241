"""Where the server is and what proves that we may use it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

# Source: names.md; `larder serve` listens there unless told otherwise.
DEFAULT_PORT = 8080


@dataclass(frozen=True, slots=True, kw_only=True)
class CredentialProvider:
    """An endpoint (`host:port`), a token, and whether the connection is TLS. The token is never printed."""

    endpoint: str
    token: str = field(default="", repr=False)
    tls: bool = True
    # The authority to trust in place of the system's, as PEM; None: gRPC's default roots.
    root_certificates: bytes | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        host, _, port = self.endpoint.rpartition(":")
        if not host or not port.isdecimal() or not 0 < int(port) < 65536:
            raise ValueError(f"an endpoint is host:port, not {self.endpoint!r}")

    @staticmethod
    def local(host: str = "127.0.0.1", *, port: int = DEFAULT_PORT) -> CredentialProvider:
        """A server on this machine, in plaintext, without a token."""
        return CredentialProvider(endpoint=f"{host}:{port}", tls=False)

    @staticmethod
    def from_string(text: str, *, root_certificates: bytes | None = None) -> CredentialProvider:
        """Parse `larder://[token@]host:port` (plaintext) or `larders://[token@]host:port` (TLS)."""
        scheme, separator, rest = text.partition("://")
        if not separator or scheme not in ("larder", "larders"):
            raise ValueError("a connection string begins with larder:// (plaintext) or larders:// (TLS)")
        token, _, endpoint = rest.rpartition("@")
        return CredentialProvider(
            endpoint=endpoint.rstrip("/"), token=token, tls=scheme == "larders", root_certificates=root_certificates
        )

    @staticmethod
    def from_environment_variable(name: str = "LARDER_URL") -> CredentialProvider:
        """Read a connection string from an environment variable. Raises ValueError where it is not set."""
        text = os.environ.get(name)
        if not text:
            raise ValueError(f"the environment variable {name} is not set; it holds larder://[token@]host:port")
        return CredentialProvider.from_string(text)
