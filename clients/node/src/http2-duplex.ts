import type { Buffer } from "node:buffer";
import * as http2 from "node:http2";
import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { CredentialProvider } from "./credential-provider.js";
import { type Failure, Status } from "./errors.js";

/** Who is told what happens on a duplex. `ended` comes exactly once, last. */
export interface DuplexListener {
  /** The server accepted the stream. */
  opened(): void;
  data(chunk: Buffer): void;
  ended(failure: Failure): void;
}

/** How to keep and to check a connection. */
export interface KeepaliveSettings {
  readonly keepaliveIntervalMs: number | "off";
  readonly keepaliveTimeoutMs: number;
}

// 1 MB each, as the server's own: a burst of answers never waits for credit.
const windowBytes = 1 << 20;
const maxFrameBytes = 1 << 16;
// From the first packet to the server's first answer.
const openTimeoutMs = 5_000;
// How a handshake ends at a server without TLS, which takes it for a broken request.
const notTlsPattern = /^(ECONNRESET|EPROTO|ERR_SSL_)/;
const statusPattern = /^\d{1,2}$/;

/** One bidirectional gRPC stream on an HTTP/2 connection of its own: raw bytes in both directions. */
export class Http2Duplex {
  readonly #session: http2.ClientHttp2Session;
  #stream: http2.ClientHttp2Stream | null = null;
  #ended = false;
  #keepalive: NodeJS.Timeout | null = null;
  #openTimeout: NodeJS.Timeout | null;
  #lastError: Error | null = null;
  #status: Failure | null = null;
  #connected = false;

  constructor(
    private readonly credentials: CredentialProvider,
    path: string,
    headers: Readonly<Record<string, string>>,
    keepalive: KeepaliveSettings,
    private readonly listener: DuplexListener,
  ) {
    const origin = `${credentials.tls ? "https" : "http"}://${credentials.endpoint}`;
    const session = http2.connect(origin, {
      createConnection: () => connectSocket(credentials),
      settings: { initialWindowSize: windowBytes, maxFrameSize: maxFrameBytes, enablePush: false },
    });
    this.#session = session;
    this.#openTimeout = setTimeout(() => {
      this.#lastError = new Error(`no connection in ${openTimeoutMs} ms`);
      this.#end();
    }, openTimeoutMs);
    session.on("connect", () => {
      if (this.#ended || session.destroyed) return;
      this.#connected = true;
      session.setLocalWindowSize(windowBytes);
      this.#open(path, headers);
      this.#startKeepalive(keepalive);
    });
    session.on("error", (error) => {
      this.#lastError = error;
      this.#end();
    });
    session.on("goaway", (code) => {
      if (code !== http2.constants.NGHTTP2_NO_ERROR) this.#lastError = new Error(`the server sent GOAWAY ${code}`);
    });
    session.on("close", () => this.#end());
  }

  /** Sends bytes; `written` is called when they have left for the socket, unless the stream ends before. */
  write(bytes: Uint8Array, written: () => void): void {
    this.#stream?.write(bytes, (error) => {
      if (error === null || error === undefined) written();
    });
  }

  /** Ends the connection; the listener hears `ended` no later than at the end of this call. */
  close(): void {
    this.#end();
  }

  #open(path: string, headers: Readonly<Record<string, string>>): void {
    const stream = this.#session.request(
      { ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers", ...headers },
      { endStream: false },
    );
    this.#stream = stream;
    stream.on("response", (received) => {
      if (this.#readStatus(received)) return;
      if (received[":status"] === 200) {
        this.#stopOpenTimeout();
        this.listener.opened();
      } else this.#lastError = new Error(`the server answered HTTP ${received[":status"]}`);
    });
    stream.on("trailers", (received) => this.#readStatus(received));
    stream.on("data", (chunk: Buffer) => {
      if (!this.#ended) this.listener.data(chunk);
    });
    stream.on("error", (error) => {
      this.#lastError = error;
    });
    stream.on("close", () => this.#end());
  }

  #stopOpenTimeout(): void {
    if (this.#openTimeout !== null) clearTimeout(this.#openTimeout);
    this.#openTimeout = null;
  }

  #readStatus(headers: http2.IncomingHttpHeaders): boolean {
    const text = headers["grpc-status"];
    if (typeof text !== "string" || !statusPattern.test(text)) return false;
    const status = Number(text);
    const message = decodeMessage(headers["grpc-message"]);
    this.#status = { status, message, cause: headers.err, notExecuted: false };
    return true;
  }

  // A ping that is not answered in time ends a connection whose packets are dropped silently.
  #startKeepalive({ keepaliveIntervalMs, keepaliveTimeoutMs }: KeepaliveSettings): void {
    if (keepaliveIntervalMs === "off") return;
    this.#keepalive = setInterval(() => {
      if (this.#session.destroyed) return;
      const giveUp = setTimeout(() => {
        this.#lastError = new Error(`a ping was not answered in ${keepaliveTimeoutMs} ms`);
        this.#end();
      }, keepaliveTimeoutMs);
      giveUp.unref();
      this.#session.ping(() => clearTimeout(giveUp));
    }, keepaliveIntervalMs);
    this.#keepalive.unref();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#stopOpenTimeout();
    if (this.#keepalive !== null) clearInterval(this.#keepalive);
    this.#session.destroy();
    const cause = this.#lastError;
    const message = cause === null ? "the connection was closed" : this.#whyLost(cause);
    this.listener.ended(this.#status ?? { status: Status.unavailable, message, cause, notExecuted: false });
  }

  #whyLost(cause: Error & { readonly code?: unknown }): string {
    if (this.#connected) return `the connection was lost: ${cause.message}`;
    const notTls = this.credentials.tls && notTlsPattern.test(String(cause.code));
    const hint = notTls ? " (does the server speak TLS? without it the credentials begin with http://)" : "";
    return `no connection could be made: ${cause.message}${hint}`;
  }
}

function connectSocket({ endpoint, tls, certificateAuthority: ca }: CredentialProvider): Socket {
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

/** Undoes gRPC's percent-encoding; text that is not so encoded is left as it is. */
function decodeMessage(text: string | string[] | undefined): string {
  if (typeof text !== "string") return "";
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
