import { tooLarge } from "./call-rejection.js";
import type { FakeCaches } from "./fake-caches.js";
import { emptyAnswer } from "./fake-call.js";
import type { Message } from "./message.js";

// TOP-12: maximum size of a message.
const maxValueBytes = 1_048_576;

/** Handles `Publish`. The request itself contains the cache's name. */
export function publish(caches: FakeCaches, request: Message): typeof emptyAnswer {
  const cache = caches.named(request.text(1));
  const value = request.bytes(3);
  const holding = request.message(3);
  const bytes = holding.bytes(1).length + holding.bytes(2).length;
  if (bytes > maxValueBytes) throw tooLarge(`the message has ${bytes} bytes; at most ${maxValueBytes} are allowed`);
  cache.topics.named(request.text(2)).publish(value, bytes);
  return emptyAnswer;
}
