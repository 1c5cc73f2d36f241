import type { Buffer } from "node:buffer";
import * as http2 from "node:http2";
import { clearTimeout, outsideRequests, startTimer } from "../calls/system-timers.js";
import type { Configuration } from "../configuration/configuration.js";
import type { CredentialProvider } from "../configuration/credential-provider.js";
import { maxStreamsPerChannel } from "../transport/channel-pool.js";
import { connectSocket } from "../transport/connect-socket.js";
import type { TopicFeed, TopicLink, TopicStreamListener } from "./topic-link.js";
import { subscribePath } from "./topic-messages.js";
import { TopicStream } from "./topic-stream.js";

// What a subscription is sent before it has read what came: as a topic's burst, not a mebibyte for each of thousands.
const streamWindowBytes = 1 << 18;
// A stream that stands still takes nothing of the connection's: the runtime gives that back as it comes.
const connectionWindowBytes = 1 << 22;

// After its last stream: who leaves a topic and comes again finds it, and the server hears of both in their order.
const lingerMs = 1_000;

/**
 * An HTTP/2 connection for the streams of subscriptions, at most 100 (LIM-6). It ends soon after its last one. The runtime's
 * own, which holds back a stream whose reader stands still.
 */
export class TopicConnection implements TopicLink {
  readonly #session: http2.ClientHttp2Session;
  readonly #scheme: string;
  readonly #late: NodeJS.Timeout;
  #lingering: NodeJS.Timeout | null = null;
  #streams = 0;
  #connected = false;
  #wasThere = false;
  #retired = false;
  #why = "";

  /** `changed`: it has come up, or its end has begun; `connected` says which. */
  constructor(
    readonly credentials: CredentialProvider,
    { connectTimeoutMs }: Pick<Configuration, "connectTimeoutMs">,
    changed: (connection: TopicConnection) => void,
  ) {
    this.#scheme = credentials.tls ? "https" : "http";
    const socket = connectSocket(credentials);
    this.#session = outsideRequests(() =>
      http2.connect(`${this.#scheme}://${credentials.endpoint}`, {
        createConnection: () => socket,
        settings: { enablePush: false, initialWindowSize: streamWindowBytes },
      }),
    );
    const late = () => this.#session.destroy(new Error(`no connection in ${connectTimeoutMs} ms`));
    this.#late = startTimer(late, connectTimeoutMs);
    // Its settings are the first that shows the server to be one.
    this.#session.once("remoteSettings", () => {
      clearTimeout(this.#late);
      this.#connected = true;
      this.#wasThere = true;
      this.#session.setLocalWindowSize(connectionWindowBytes);
      changed(this);
    });
    socket.on("error", (error) => this.#because(error));
    this.#session.on("error", (error) => this.#because(error));
    this.#session.on("goaway", () => this.retire());
    this.#session.on("close", () => {
      clearTimeout(this.#late);
      this.#retired = true;
      this.#connected = false;
      changed(this);
    });
  }

  /** Whether the server is there. */
  get connected(): boolean {
    return this.#connected;
  }

  /** Whether the server has ever been there, or nobody waited for it any more. */
  get wasThere(): boolean {
    return this.#wasThere || this.#why === "";
  }

  /** Streams that are open. */
  get streams(): number {
    return this.#streams;
  }

  /** Whether it has ended. */
  get gone(): boolean {
    return this.#session.destroyed;
  }

  /** Whether another stream can be opened. */
  get hasRoom(): boolean {
    const allowed = this.#connected ? (this.#session.remoteSettings.maxConcurrentStreams ?? Infinity) : Infinity;
    return !this.#retired && !this.#session.closed && this.#streams < Math.min(maxStreamsPerChannel, allowed);
  }

  /** Why it is not there, or no longer. */
  get why(): string {
    return this.#why === "" ? "the connection was closed" : this.#why;
  }

  open(headers: Readonly<Record<string, string>>, request: Buffer, listener: TopicStreamListener): TopicFeed {
    return new TopicStream(this, subscribePath, headers, request, listener);
  }

  /** Opens a stream; it is the caller's to say when it has left. Throws where the connection has ended meanwhile. */
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

  /** A stream has ended. */
  left(): void {
    this.#streams--;
    if (this.#streams > 0) return;
    if (this.#retired || !this.#connected) {
      this.close();
      return;
    }
    // No reason for a process to go on.
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
    this.#session.destroy();
  }

  #because(error: Error): void {
    if (this.#why !== "") return;
    this.#why = `${this.#wasThere ? "the connection was lost" : "no connection could be made"}: ${error.message}`;
  }
}
