import { Buffer } from "node:buffer";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { outsideRequests } from "../calls/system-timers.js";
import type { CredentialProvider } from "../configuration/credential-provider.js";
import { plainTlsError, tlsOptions } from "./tls-connection.js";

// What the runtime reads at once: the size of a chunk of a stream of its own.
const readBytes = 1 << 16;
// Those of sockets that have closed, for the next: connections that are made and lost all the time cost no collection of the whole heap.
const idleReads: Buffer[] = [];
const mostIdleReads = 8;

/**
 * A socket to the server, plain or with TLS, that is being connected; each chunk that it reads is the receiver's own.
 * Without a receiver it is read by whoever takes it.
 */
export function connectSocket(credentials: CredentialProvider, received?: (chunk: Buffer) => void): Socket {
  const { endpoint, address, tls } = credentials;
  const colon = endpoint.lastIndexOf(":");
  const host = address ?? endpoint.slice(0, colon).replace(/^\[|\]$/g, "");
  const port = Number(endpoint.slice(colon + 1));
  const reads = tls || received === undefined ? null : copiedReads(received);
  const socket = outsideRequests(() =>
    tls
      ? connectTls({ host, port, ...tlsOptions(credentials) }).prependListener("error", plainTlsError)
      : connect({ host, port, ...(reads === null ? {} : { onread: reads }) }),
  );
  if (tls && received !== undefined) socket.on("data", received);
  if (reads !== null)
    socket.once("close", () => {
      if (idleReads.length < mostIdleReads) idleReads.push(reads.buffer);
    });
  // Without Nagle's delay: a lone call leaves at once.
  return socket.setNoDelay(true);
}

// One buffer for all reads: the runtime makes one of 64 KB for each, and tells a stream of it, which costs a small answer more than a copy (ADR-0065).
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
