"""Messages that explain why a connection failed or was lost."""

from __future__ import annotations

import ssl

from larder_cache._internal.configuration.tls_files import CLOSED, tls_reason
from larder_cache.credential_provider import CredentialProvider
from larder_cache.errors import UNAVAILABLE, Failure

# RFC 8446, section 5.1: the record of an alert starts with its type and a version. The first byte of the version is 3.
_TLS_ALERT = b"\x15\x03"
# RFC 9113, section 6.8: the type of a GOAWAY frame, the position of its error code, and the code HTTP_1_1_REQUIRED.
_GOAWAY, _GOAWAY_CODE, _HTTP_1_1_REQUIRED = 7, slice(13, 17), b"\0\0\0\x0d"
# OpenSSL's reasons for a response that is not TLS.
_NOT_TLS = frozenset({"WRONG_VERSION_NUMBER", "HTTP_REQUEST", "UNEXPECTED_MESSAGE", "PACKET_LENGTH_TOO_LONG"})
# The message if the server closed the connection before it sent anything.
_CLOSED_PLAIN = (
    "the server closed the connection before it responded; if the port requires TLS, use an https:// address"
)


class WrongProtocol(ConnectionError):
    """The peer uses another protocol. A retry would also fail."""


def wrong_protocol(first: bytes) -> str | None:
    """Return an error message if the first bytes are not HTTP/2, or None if they may be HTTP/2."""
    if first.startswith(_TLS_ALERT):
        return "the port requires TLS; use an https:// address"
    if first.startswith(b"HTTP/1") or (first[3:4] == bytes([_GOAWAY]) and first[_GOAWAY_CODE] == _HTTP_1_1_REQUIRED):
        return "the port uses HTTP/1 and may be the console port; use the data port"
    return None


def lasts(failure: BaseException) -> bool:
    """Return whether a retry would fail in the same way (RETRY-9).

    A retry fails in the same way if the peer uses another protocol, or if TLS reports an error other than a closed
    connection.
    """
    ended = (ssl.SSLEOFError, ssl.SSLZeroReturnError, ssl.SSLSyscallError)
    return isinstance(failure, WrongProtocol) or (isinstance(failure, ssl.SSLError) and not isinstance(failure, ended))


def lost(failure: Exception | None) -> Failure:
    """Return the failure of the calls on a lost connection.

    `failure` is the exception that the event loop reported, or None if the server closed the connection.
    """
    reason = tls_reason(failure)
    why = f"{reason}: " if reason else ""
    return Failure(UNAVAILABLE, f"the connection was lost: {why}{failure or 'closed by the server'}")


def unreachable_reason(failure: OSError, credentials: CredentialProvider) -> str:
    """Return the reason why the server is unreachable. For a TLS error it starts with a readable explanation."""
    if isinstance(failure, WrongProtocol):
        return str(failure)
    if credentials.tls and isinstance(failure, ssl.SSLError) and failure.reason in _NOT_TLS:
        return "the port does not use TLS; use an http:// address or the TLS port"
    why = f"{type(failure).__name__}: {failure}".removesuffix(": ")
    if isinstance(failure, ConnectionRefusedError):
        return f"{why}: no server is listening on this address; start it, or check host and port"
    if (reason := tls_reason(failure)) is not None:
        return f"{reason}: {why}"
    if credentials.tls and type(failure) is ConnectionError:
        # This client raised the error, because the server closed the connection after the TLS handshake without a
        # response.
        return f"{CLOSED} ({why})"
    if type(failure) is ConnectionError:
        return f"{_CLOSED_PLAIN} ({why})"
    # A server without TLS treats the handshake as an invalid request. It closes the connection or returns a response
    # that is not TLS.
    not_tls = isinstance(failure, (ConnectionResetError, ssl.SSLError)) and not isinstance(
        failure, ssl.CertificateError
    )
    if credentials.tls and not_tls:
        why += " (if the server does not use TLS, use an http:// address or tls=False)"
    return why
