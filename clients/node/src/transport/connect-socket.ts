import { Buffer } from "node:buffer";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { outsideRequestContext } from "../calls/system-timers.js";
import type { CredentialProvider } from "../configuration/credential-provider.js";
import { plainTlsError, tlsOptions } from "./tls-connection.js";

// Size of the read buffer. It is the chunk size that the runtime also uses.
const readBytes = 1 << 16;
// Read buffers of closed sockets. New sockets use them again, because otherwise frequent reconnects would trigger full
// garbage collections.
const idleReads: Buffer[] = [];
const maxIdleReads = 8;

/**
 * Opens a socket to the server, with or without TLS. `received` is called with each received chunk and may keep the
 * chunk. Without `received`, the caller reads from the socket.
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
  // Disable Nagle's algorithm, so that a single call is sent immediately.
  return socket.setNoDelay(true);
}

// Returns options for a socket that reads into one buffer and copies the received data. Otherwise the runtime allocates
// 64 KB per read and passes the data through a stream. For a small response, that costs more than a copy (ADR-0065).
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
