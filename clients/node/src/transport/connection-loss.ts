import type { CredentialProvider } from "../configuration/credential-provider.js";

// How a handshake ends at a server without TLS, which takes it for a broken request.
const notTlsPattern = /^(ECONNRESET|EPROTO|ERR_SSL_)/;
// What a server without alerts does where it asks for a certificate and likes none that was shown.
const closedOverTls =
  "the server closed the connection once TLS was up: does it ask for a client certificate, or not trust ours?";

/** How far a connection had come when it ended. */
export interface LossStage {
  /** The socket, and TLS where there is one, was up. */
  readonly connected: boolean;
  /** The server had answered. */
  readonly opened: boolean;
}

/** Why a connection ended, for callers; `cause` null: the server closed it. */
export function whyLost(
  { tls }: CredentialProvider,
  { connected, opened }: LossStage,
  cause: (Error & { readonly code?: unknown }) | null,
): string {
  if (cause === null) return connected && !opened && tls ? closedOverTls : "the connection was closed";
  if (connected) return `the connection was lost: ${cause.message}`;
  const hint =
    tls && notTlsPattern.test(String(cause.code))
      ? " (does the server speak TLS? without it the credentials begin with http://)"
      : "";
  return `no connection could be made: ${cause.message}${hint}`;
}
