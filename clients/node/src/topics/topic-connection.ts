import type { Buffer } from "node:buffer";
import * as http2 from "node:http2";
import { clearTimeout, outsideRequestContext, startTimer } from "../calls/system-timers.js";
import type { Configuration } from "../configuration/configuration.js";
import type { CredentialProvider } from "../configuration/credential-provider.js";
import { maxStreamsPerChannel } from "../transport/channel-pool.js";
import { connectSocket } from "../transport/connect-socket.js";
import { connectionLossMessage } from "../transport/connection-loss.js";
import type { TopicFeed, TopicLink, TopicStreamListener } from "./topic-link.js";
import { subscribePath } from "./topic-messages.js";
import { TopicStream } from "./topic-stream.js";

// The receive window of a stream. It is large enough for a burst of messages. 1 MiB for each of thousands of streams
// would be too much.
const streamWindowBytes = 1 << 18;
// The receive window of the connection. A paused stream does not use it up, because the runtime enlarges the window
// again as soon as data arrives.
const connectionWindowBytes = 1 << 22;

// How long a connection stays open after its last stream has ended. If the client soon resubscribes, it uses the same
// connection, and the server sees both requests in order.
const lingerMs = 1_000;

/** Receives the events of a connection. */
export interface TopicConnectionListener {
  /** Called when the first message arrives on a stream of the connection. */
  received(connection: TopicConnection): void;
  /**
   * Called at most once, before `ended`, if the connection counts as a failed attempt to connect. It does if it could not
   * be established, or if the server ended it before a message arrived. It does not if this client closed it.
   */
  failed(connection: TopicConnection): void;
  /** Called once, when the connection has ended. */
  ended(connection: TopicConnection): void;
}

/**
 * An HTTP/2 connection for up to 100 streams of subscriptions (LIM-6). It is closed soon after its last stream has
 * ended. It uses Node's own HTTP/2 implementation, which applies backpressure to paused streams.
 */
export class TopicConnection implements TopicLink {
  readonly #session: http2.ClientHttp2Session;
  readonly #scheme: string;
  readonly #late: NodeJS.Timeout;
  #lingering: NodeJS.Timeout | null = null;
  #streams = 0;
  #connected = false;
  #wasConnected = false;
  #hasReceived = false;
  #hasFailed = false;
  #retired = false;
  // Whether the client itself has closed the connection.
  #isClosed = false;
  #why = "";

  /** Starts connecting. */
  constructor(
    readonly credentials: CredentialProvider,
    { connectTimeoutMs }: Pick<Configuration, "connectTimeoutMs">,
    private readonly listener: TopicConnectionListener,
  ) {
    this.#scheme = credentials.tls ? "https" : "http";
    const socket = connectSocket(credentials);
    this.#session = outsideRequestContext(() =>
      http2.connect(`${this.#scheme}://${credentials.endpoint}`, {
        createConnection: () => socket,
        settings: { enablePush: false, initialWindowSize: streamWindowBytes },
      }),
    );
    const late = () => this.#session.destroy(new Error(`no connection within ${connectTimeoutMs} ms`));
    this.#late = startTimer(late, connectTimeoutMs);
    // The settings frame is the first evidence that the server supports HTTP/2.
    this.#session.once("remoteSettings", () => {
      clearTimeout(this.#late);
      this.#connected = true;
      this.#wasConnected = true;
      this.#session.setLocalWindowSize(connectionWindowBytes);
    });
    socket.on("error", (error) => this.#because(error));
    this.#session.on("error", (error) => this.#because(error));
    this.#session.on("goaway", (code) => {
      // Any other code ends the connection with an error.
      if (code === http2.constants.NGHTTP2_NO_ERROR) this.#endedByServer(null);
      this.retire();
    });
    this.#session.on("close", () => {
      clearTimeout(this.#late);
      this.#retired = true;
      this.#connected = false;
      // Without an error, the server has closed the connection.
      if (!this.#isClosed || this.#why !== "") this.#endedByServer(null);
      listener.ended(this);
    });
  }

  /** Returns whether the connection is established. */
  get connected(): boolean {
    return this.#connected;
  }

  /** Returns the number of open streams. */
  get streams(): number {
    return this.#streams;
  }

  /** Returns whether the connection has ended. */
  get gone(): boolean {
    return this.#session.destroyed;
  }

  /** Returns whether another stream can be opened. */
  get hasRoom(): boolean {
    const allowed = this.#connected ? (this.#session.remoteSettings.maxConcurrentStreams ?? Infinity) : Infinity;
    return !this.#retired && !this.#session.closed && this.#streams < Math.min(maxStreamsPerChannel, allowed);
  }

  /** Returns why there is no connection. */
  get why(): string {
    return this.#why === "" ? "the connection was closed" : this.#why;
  }

  open(headers: Readonly<Record<string, string>>, request: Buffer, listener: TopicStreamListener): TopicFeed {
    return new TopicStream(this, subscribePath, headers, request, listener);
  }

  /** Opens a stream. The caller must call `left` when the stream has ended. Throws if the connection has ended. */
  request(path: string, headers: Readonly<Record<string, string>>): http2.ClientHttp2Stream {
    const stream = this.#session.request({
      ":method": "POST",
      ":scheme": this.#scheme,
      ":path": path,
      te: "trailers",
      "content-type": "application/grpc",
      ...headers,
    });
    if (this.#lingering !== null) clearTimeout(this.#lingering);
    this.#lingering = null;
    this.#session.ref();
    this.#streams++;
    return stream;
  }

  /** Records that data of a message has arrived on a stream. */
  received(): void {
    if (this.#hasReceived) return;
    this.#hasReceived = true;
    this.listener.received(this);
  }

  /** Records the end of a stream. */
  left(): void {
    this.#streams--;
    if (this.#streams > 0) return;
    if (this.#retired || !this.#connected) {
      this.close();
      return;
    }
    // An idle connection does not keep the process alive.
    this.#session.unref();
    this.#lingering = startTimer(() => this.close(), lingerMs).unref();
  }

  retire(): void {
    this.#retired = true;
    if (this.#streams === 0) this.close();
  }

  close(): void {
    if (this.#lingering !== null) clearTimeout(this.#lingering);
    this.#retired = true;
    // If the session has already ended, the server closed the connection.
    this.#isClosed ||= !this.#session.destroyed;
    this.#session.destroy();
  }

  #endedByServer(error: Error | null): void {
    this.#because(error);
    if (this.#hasReceived || this.#hasFailed) return;
    this.#hasFailed = true;
    this.listener.failed(this);
  }

  #because(error: Error | null): void {
    if (this.#why !== "") return;
    const stage = { connected: error === null || this.#wasConnected, opened: this.#wasConnected };
    this.#why = connectionLossMessage(this.credentials, stage, error);
  }
}
