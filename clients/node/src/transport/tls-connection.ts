import { isIP } from "node:net";
import { type ConnectionOptions, checkServerIdentity } from "node:tls";
import type { CredentialProvider } from "../configuration/credential-provider.js";

// Explanations for the OpenSSL error codes whose messages are not helpful. Other messages are clear, for example about
// an expired certificate or a wrong name.
const reasonsByCode: Readonly<Record<string, string>> = {
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the server's certificate is from an authority that this client does not trust",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the server's certificate is from an authority that this client does not trust",
  SELF_SIGNED_CERT_IN_CHAIN: "the server's certificate is from an authority that this client does not trust",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the server's certificate is self-signed and this client does not trust it",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for another host name",
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED:
    "the server requires a client certificate; set certificateFile and keyFile",
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: "the server does not trust the authority of the client certificate",
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: "the client certificate has expired",
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: "the server rejected the client certificate",
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN: "the server rejected the client certificate",
};

/** Returns the TLS options of a connection. Both transports use these options for every connection. */
export function tlsOptions(credentials: CredentialProvider): ConnectionOptions {
  const { serverName } = credentials;
  const secureContext = credentials.secureContext();
  return {
    ALPNProtocols: ["h2"],
    // If the host is an IP address, no server name (SNI) is sent (RFC 6066, section 3).
    servername: isIP(serverName) === 0 ? serverName : "",
    // Set this option, because the environment variable NODE_TLS_REJECT_UNAUTHORIZED could otherwise disable the check.
    rejectUnauthorized: true,
    checkServerIdentity: (_, certificate) => checkServerIdentity(serverName, certificate),
    ...(secureContext === undefined ? {} : { secureContext }),
  };
}

/** Adds an explanation to the message of a TLS error if OpenSSL's message is not helpful. */
export function plainTlsError(error: Error): Error {
  const reason = reasonsByCode[String((error as NodeJS.ErrnoException).code)];
  if (reason !== undefined && !error.message.startsWith(reason)) error.message = `${reason}: ${error.message}`;
  return error;
}
