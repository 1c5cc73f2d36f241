import type { Buffer } from "node:buffer";
import { microtask } from "../calls/system-timers.js";
import type { CredentialProvider } from "../configuration/credential-provider.js";
import type { TopicFeed, TopicLink, TopicLinks, TopicStreamListener } from "../topics/topic-link.js";
import { failureOf } from "./call-rejection.js";
import type { FakeHost } from "./fake-host.js";
import { FakeTopicStream } from "./fake-topic-stream.js";
import { injected } from "./fake-transport.js";
import { Message } from "./message.js";

// The header of a gRPC frame: one byte for the compression flag and four bytes for the length.
const frameHeaderBytes = 5;

/** Connects a client to the topics of a fake server. */
export class FakeTopicLinks implements TopicLinks {
  readonly #link: TopicLink;

  constructor(host: FakeHost, credentials: CredentialProvider) {
    this.#link = { credentials, open: (...asked) => open(host, ...asked), retire: () => {} };
  }

  /** Returns the number of connections. It is always 0, because there is no network. */
  get connections(): number {
    return 0;
  }

  choose(): TopicLink {
    return this.#link;
  }

  close(): void {}
}

function open(
  host: FakeHost,
  headers: Readonly<Record<string, string>>,
  framed: Buffer,
  listener: TopicStreamListener,
): TopicFeed {
  const request = new Message(framed.subarray(frameHeaderBytes));
  const stream = new FakeTopicStream(host.clock, listener);
  host.count("subscribe");
  const fault = host.faults.take("subscribe");
  const begin = () => {
    try {
      host.requireRunning();
      if (fault !== null && fault.status !== null) {
        stream.fail(injected(fault.status));
        return;
      }
      const topic = host.caches.named(request.text(1)).topics.named(request.text(2));
      const now = headers["topic-from"] === "now";
      stream.follow(topic, { resumeAt: request.unsigned(3), page: request.unsigned(4), now });
    } catch (error) {
      stream.fail(failureOf(error));
    }
  };
  if (fault !== null && fault.delayMs > 0) host.clock.schedule(begin, fault.delayMs);
  else microtask(begin);
  return stream;
}
