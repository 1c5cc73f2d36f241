import type { Buffer } from "node:buffer";
import { dictionaryCalls } from "./dictionary-calls.js";
import type { FakeCaches } from "./fake-caches.js";
import { emptyAnswer, type FakeCall } from "./fake-call.js";
import { itemCalls } from "./item-calls.js";
import { leaseCalls } from "./lease-calls.js";
import { listCalls } from "./list-calls.js";
import { Message } from "./message.js";
import { scanCalls } from "./scan-calls.js";
import { setCalls } from "./set-calls.js";
import { sortedSetCalls } from "./sorted-set-calls.js";
import { tagCalls } from "./tag-calls.js";
import { publish } from "./topic-calls.js";

type ServerCall = (caches: FakeCaches, request: Message) => Buffer;

const onCache: Readonly<Record<string, FakeCall>> = {
  ...itemCalls,
  ...dictionaryCalls,
  ...setCalls,
  ...listCalls,
  ...sortedSetCalls,
  ...scanCalls,
  ...leaseCalls,
  ...tagCalls,
};

const onServer: Readonly<Record<string, ServerCall>> = {
  Ping: () => emptyAnswer,
  CreateCache: (caches, request) => {
    caches.create(request.text(1));
    return emptyAnswer;
  },
  DeleteCache: (caches, request) => {
    caches.delete(request.text(1));
    return emptyAnswer;
  },
  FlushCache: (caches, request) => {
    caches.named(request.text(1)).flush();
    return emptyAnswer;
  },
  ListCaches: (caches) => caches.list(),
  Publish: publish,
};

/**
 * Runs a call and returns its response message.
 * @throws CallRejection if the server rejects the call.
 */
export function execute(caches: FakeCaches, path: string, cacheName: string, request: Buffer): Buffer {
  const rpc = path.slice(path.lastIndexOf("/") + 1);
  const message = new Message(request);
  const call = onServer[rpc];
  return call === undefined ? onCache[rpc]!(caches.named(cacheName), message) : call(caches, message);
}
