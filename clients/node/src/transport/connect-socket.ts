import { Buffer } from "node:buffer";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { outsideRequestContext } from "../calls/system-timers.js";
import type { CredentialProvider } from "../configuration/credential-provider.js";
import { plainTlsError, tlsOptions } from "./tls-connection.js";

// Size of the read buffer, which is the runtime's own chunk size.
const readBytes = 1 << 16;
// Read buffers of closed sockets, for reuse. Without reuse, frequent reconnects would trigger full garbage collections.
const idleReads: Buffer[] = [];
const maxIdleReads = 8;

/**
 * Opens a socket to the server, plain or with TLS. `received` owns the chunks passed to it. Without `received`, the
 * user of the socket reads it.
 */
export function connectSocket(credentials: CredentialProvider, received?: (chunk: Buffer) => void): Socket {
  const { endpoint, address, tls } = credentials;
  const colon = endpoint.lastIndexOf(":");
  const host = address ?? endpoint.slice(0, colon).replace(/^\[|\]$/g, "");
  const port = Number(endpoint.slice(colon + 1));
  const reads = tls || received === undefined ? null : copiedReads(received);
  const socket = outsideRequestContext(() =>
    tls
      ? connectTls({ host, port, ...tlsOptions(credentials) }).prependListener("error", plainTlsError)
      : connect({ host, port, ...(reads === null ? {} : { onread: reads }) }),
  );
  if (tls && received !== undefined) socket.on("data", received);
  if (reads !== null)
    socket.once("close", () => {
      if (idleReads.length < maxIdleReads) idleReads.push(reads.buffer);
    });
  // Disables Nagle's algorithm, so that a single call is sent at once.
  return socket.setNoDelay(true);
}

// One buffer for all reads. Otherwise the runtime allocates 64 KB per read and passes it through a stream. For a small
// response, that costs more than a copy (ADR-0065).
function copiedReads(received: (chunk: Buffer) => void) {
  return {
    buffer: idleReads.pop() ?? Buffer.allocUnsafeSlow(readBytes),
    callback(length: number, bytes: Uint8Array): boolean {
      const chunk = Buffer.allocUnsafe(length);
      chunk.set(bytes.length === length ? bytes : bytes.subarray(0, length));
      received(chunk);
      return true;
    },
  };
}
