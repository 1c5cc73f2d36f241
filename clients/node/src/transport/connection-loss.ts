import type { Buffer } from "node:buffer";
import type { CredentialProvider } from "../configuration/credential-provider.js";

// The error codes of a TLS handshake with a server that does not use TLS. Such a server treats the handshake as an
// invalid request and closes the connection.
const notTlsPattern = /^(ECONNRESET|EPROTO|ERR_SSL_)/;
// The messages of OpenSSL if the response to its handshake is not TLS.
const foreignAnswerPattern = /wrong version number|http request|packet length too long/i;
// TLS failures that a retry would repeat: a rejected certificate, or no common version or cipher.
const permanentCodes = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|ERR_SSL_|EPROTO$)/;
// The error message if the server closes the connection without a TLS alert. Some servers do this if they require a
// client certificate or reject the client's certificate.
const closedOverTls =
  "the server closed the connection after the TLS handshake; it may require a different client certificate";
const closedInPlaintext =
  "the server closed the connection before it responded; if the port requires TLS, use an https:// address";
const withoutTls = "the port does not use TLS; use an http:// address or the TLS port";

// RFC 8446, section 5.1: an alert record begins with its type, followed by a version whose first byte is 3.
const tlsAlert = 0x15;
const tlsMajorVersion = 3;
// RFC 9113, section 6.8: the type of a GOAWAY frame, and the position of its error code.
const goawayType = 7;
const goawayCodeAt = 13;
const http11Required = 13;

/** How far a connection had progressed when it ended. */
export interface ConnectionStage {
  /** Whether the socket was connected. If TLS is used, also whether the handshake was complete. */
  readonly connected: boolean;
  /** Whether the server had responded. */
  readonly opened: boolean;
}

/** The error if the peer uses another protocol. A retry would also fail, because it would reach the same peer. */
export class WrongProtocolError extends Error {}

/** Returns the error for the first received bytes if they are not HTTP/2. Null if they may be HTTP/2. */
export function wrongProtocol(first: Buffer): WrongProtocolError | null {
  if (first[0] === tlsAlert && first[1] === tlsMajorVersion)
    return new WrongProtocolError("the port requires TLS; use an https:// address");
  const isGoaway = first.length >= goawayCodeAt + 4 && first[3] === goawayType;
  if (first.toString("latin1", 0, 6) === "HTTP/1" || (isGoaway && first.readUInt32BE(goawayCodeAt) === http11Required))
    return new WrongProtocolError("the port uses HTTP/1 and may be the console port; use the data port");
  return null;
}

/**
 * Returns whether a retry would fail in the same way, because the peer uses another protocol or because the TLS
 * handshake cannot succeed (RETRY-9).
 */
export function isPermanent(cause: unknown): boolean {
  if (cause instanceof WrongProtocolError) return true;
  return cause instanceof Error && permanentCodes.test(String((cause as NodeJS.ErrnoException).code));
}

/**
 * Returns a message for callers that describes why a connection ended. `cause` is null if the server closed the
 * connection.
 */
export function connectionLossMessage(
  { tls }: CredentialProvider,
  { connected, opened }: ConnectionStage,
  cause: (Error & { readonly code?: unknown }) | null,
): string {
  if (cause instanceof WrongProtocolError) return cause.message;
  if (cause === null) {
    if (!connected || opened) return "the connection was closed";
    return tls ? closedOverTls : closedInPlaintext;
  }
  if (connected) return `the connection was lost: ${cause.message}`;
  if (tls && foreignAnswerPattern.test(cause.message)) return withoutTls;
  return `cannot connect: ${cause.message}${hintOf(tls, String(cause.code))}`;
}

function hintOf(tls: boolean, code: string): string {
  if (code === "ECONNREFUSED") return ": no server is listening on this address; start it, or check host and port";
  return tls && notTlsPattern.test(code) ? " (if the server does not use TLS, use an http:// address)" : "";
}
