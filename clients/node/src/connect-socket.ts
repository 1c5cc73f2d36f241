import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { CredentialProvider } from "./credential-provider.js";

/** A socket to the server, plain or with TLS, that is being connected. */
export function connectSocket({ endpoint, tls, certificateAuthority: ca }: CredentialProvider): Socket {
  const colon = endpoint.lastIndexOf(":");
  const host = endpoint.slice(0, colon).replace(/^\[|\]$/g, "");
  const port = Number(endpoint.slice(colon + 1));
  // Without Nagle's delay: a lone call leaves at once.
  const socket = tls
    ? connectTls({
        host,
        port,
        ALPNProtocols: ["h2"],
        ...(isIP(host) ? {} : { servername: host }),
        ...(ca ? { ca } : {}),
      })
    : connect({ host, port });
  return socket.setNoDelay(true);
}
