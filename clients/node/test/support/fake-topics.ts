import { Buffer } from "node:buffer";
import * as http2 from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { CacheClient } from "../../src/client/client.js";
import type { CacheClientOptions } from "../../src/client/client-options.js";
import type { Configuration } from "../../src/configuration/configuration.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import type { TopicEvent } from "../../src/topics/topic-events.js";
import { messageBytes, readRequest } from "./contract.js";
import { frame } from "./fake-server.js";

const okHead = { ":status": 200, "content-type": "application/grpc" };

/** The server side of a subscription: its request, and methods that send it events. */
export class FakeSubscription {
  cancelled = false;
  readonly request: {
    readonly cacheName: string;
    readonly topic: string;
    readonly resumeAtTopicSequenceNumber?: string;
    readonly sequencePage?: string;
  };

  constructor(
    readonly stream: http2.ServerHttp2Stream,
    readonly headers: http2.IncomingHttpHeaders,
    message: Buffer,
  ) {
    this.request = readRequest("/Pubsub/Subscribe", message) as FakeSubscription["request"];
    stream.on("close", () => {
      this.cancelled = stream.rstCode === http2.constants.NGHTTP2_CANCEL;
    });
  }

  /** The requested position, as `page-number`. */
  get asked(): string {
    const { sequencePage = "0", resumeAtTopicSequenceNumber = "0" } = this.request;
    return `${sequencePage}-${resumeAtTopicSequenceNumber}`;
  }

  open(position?: string): this {
    this.stream.respond({ ...okHead, ...(position === undefined ? {} : { "topic-position": position }) });
    return this;
  }
  heartbeat(): this {
    return this.say({ heartbeat: {} });
  }
  item(number: number | string, page: number | string, value: string | Uint8Array = `value ${number}`): this {
    const kind = typeof value === "string" ? { text: value } : { binary: value };
    return this.say({ item: { topicSequenceNumber: number, sequencePage: page, value: kind, publisherId: "" } });
  }
  discontinuity(last: number, newest: number, page: number): this {
    return this.say({ discontinuity: { lastTopicSequence: last, newTopicSequence: newest, newSequencePage: page } });
  }
  say(message: object): this {
    return this.raw(frame(messageBytes("SubscriptionItem", message)));
  }
  raw(bytes: Uint8Array): this {
    if (!this.stream.destroyed) this.stream.write(bytes);
    return this;
  }
  /** Ends the stream with a status. The status is in the trailers, or in the headers if the stream was not opened. */
  end(status: number, message = "", cause?: string): void {
    const told = {
      "grpc-status": `${status}`,
      "grpc-message": message,
      ...(cause === undefined ? {} : { err: cause }),
    };
    if (!this.stream.headersSent) {
      this.stream.respond({ ...okHead, ...told }, { endStream: true });
      return;
    }
    this.stream.on("wantTrailers", () => this.stream.sendTrailers(told));
    this.stream.end();
  }
}

/** A topic server in the test's process. The test can replace its behaviour. */
export class FakeTopics {
  /** Handles each subscription. By default, the subscription is accepted. */
  onSubscribe: (subscription: FakeSubscription) => void = (subscription) => subscription.open("7-1").heartbeat();
  /** Returns the status with which a publish call ends. */
  onPublish: (request: object, headers: http2.IncomingHttpHeaders) => number = () => 0;
  readonly subscriptions: FakeSubscription[] = [];
  connections = 0;
  readonly sockets = new Set<Socket>();
  readonly sessions = new Set<http2.ServerHttp2Session>();
  readonly #server: http2.Http2Server;

  constructor(settings: http2.Settings = { maxConcurrentStreams: 100 }) {
    this.#server = http2.createServer({ settings });
    this.#server.on("connection", (socket: Socket) => {
      this.connections++;
      this.sockets.add(socket);
      socket.on("close", () => this.sockets.delete(socket));
    });
    this.#server.on("session", (session) => {
      this.sessions.add(session);
      session.on("close", () => this.sessions.delete(session));
    });
    this.#server.on("sessionError", () => {});
    this.#server.on("stream", (stream, headers) => {
      stream.on("error", () => {});
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => this.#take(stream, headers, Buffer.concat(chunks).subarray(5)));
    });
  }

  async start(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
    return this;
  }
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }
  get endpoint(): string {
    return `127.0.0.1:${this.port}`;
  }
  /** The open subscriptions. */
  get open(): readonly FakeSubscription[] {
    return this.subscriptions.filter(({ stream }) => !stream.closed && !stream.destroyed);
  }
  get last(): FakeSubscription {
    return this.subscriptions.at(-1)!;
  }
  breakConnections(): void {
    for (const socket of this.sockets) socket.destroy();
  }
  async stop(): Promise<void> {
    this.breakConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders, message: Buffer): void {
    if (stream.destroyed) return;
    const path = String(headers[":path"]);
    if (path.endsWith("/Subscribe")) {
      const subscription = new FakeSubscription(stream, headers, message);
      stream.respond = withTrailers(stream);
      this.subscriptions.push(subscription);
      this.onSubscribe(subscription);
      return;
    }
    const status = path.endsWith("/Publish") ? this.onPublish(readRequest(path, message), headers) : 0;
    if (status !== 0) {
      stream.respond({ ...okHead, "grpc-status": `${status}` }, { endStream: true });
      return;
    }
    stream.respond(okHead, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    stream.end(frame(Buffer.alloc(0)));
  }
}

// Returns a `respond` method with which trailers can be sent later, when the subscription ends.
function withTrailers(stream: http2.ServerHttp2Stream): typeof stream.respond {
  const respond = stream.respond.bind(stream) as typeof stream.respond;
  return ((headers?: http2.OutgoingHttpHeaders, options: http2.ServerStreamResponseOptions = {}) =>
    respond(headers, { ...options, waitForTrailers: options.endStream !== true })) as typeof stream.respond;
}

/** Returns a client of fake servers. Its delays are short, and its deadline is long enough even on a loaded machine. */
export function topicClientOf(
  servers: FakeTopics | readonly FakeTopics[],
  settings: Partial<Configuration> = {},
  options: Partial<CacheClientOptions> = {},
): CacheClient {
  const all = Array.isArray(servers) ? (servers as readonly FakeTopics[]) : [servers as FakeTopics];
  return new CacheClient({
    credentials: CredentialProvider.fromString(all.map(({ endpoint }) => `http://${endpoint}`).join(",")),
    configuration: withSettings(Configurations.Laptop.latest(), {
      requestTimeoutMs: 30_000,
      initialBackOffMs: 1,
      maxBackOffMs: 10,
      ...settings,
    }),
    defaultTtlMs: 60_000,
    ...options,
  });
}

/** Returns the next `count` events. */
export async function taken(events: AsyncIterable<TopicEvent>, count: number): Promise<TopicEvent[]> {
  const iterator = events[Symbol.asyncIterator]();
  const all: TopicEvent[] = [];
  while (all.length < count) {
    const { done, value } = await iterator.next();
    if (done) break;
    all.push(value);
  }
  return all;
}

/** Formats events briefly: `1 value`, `gap 3→7`, `heartbeat`, `NotFound`. */
export function told(events: readonly TopicEvent[]): readonly string[] {
  return events.map(wordsOf);
}

function wordsOf(event: TopicEvent): string {
  switch (event.type) {
    case "item":
      return `${event.number} ${event.value}`;
    case "discontinuity":
      return `gap ${event.last}→${event.next} of ${event.page}`;
    case "heartbeat":
      return "heartbeat";
    case "error":
      return event.error.code;
  }
}
