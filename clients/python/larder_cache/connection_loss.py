"""Why a connection could not be made, or was lost, in words."""

from __future__ import annotations

import ssl

from larder_cache.credential_provider import CredentialProvider
from larder_cache.errors import UNAVAILABLE, Failure
from larder_cache.tls_files import CLOSED, tls_reason


def lost(failure: Exception | None) -> Failure:
    """Return what calls are told after the event loop reported the end of a connection; None: the server closed it."""
    reason = tls_reason(failure)
    why = f"{reason}: " if reason else ""
    return Failure(UNAVAILABLE, f"the connection was lost: {why}{failure or 'closed by the server'}")


def why_unreachable(failure: OSError, credentials: CredentialProvider) -> str:
    """Return the reason, with TLS's in plain words first."""
    why = f"{type(failure).__name__}: {failure}".removesuffix(": ")
    if (reason := tls_reason(failure)) is not None:
        return f"{reason}: {why}"
    if credentials.tls and type(failure) is ConnectionError:
        # Our own: TLS was up, and the server had said nothing.
        return f"{CLOSED} ({why})"
    # A server without TLS takes the handshake for a broken request: it hangs up, or answers what is no TLS.
    not_tls = isinstance(failure, (ConnectionResetError, ssl.SSLError)) and not isinstance(
        failure, ssl.CertificateError
    )
    if credentials.tls and not_tls:
        why += " (does the server speak TLS? without it the credentials begin with http:// or say tls=False)"
    return why
