import type { Buffer } from "node:buffer";
import { maxTagBytes, maxTags } from "../tag-list.js";
import { emptyAnswer, type FakeCall } from "./fake-call.js";
import { nameOf } from "./held.js";
import { checkedItem } from "./item-calls.js";
import { field } from "./message.js";
import { invalid } from "./refusal.js";

const storedAnswer = field(1);

// Without a lease: the fake gives none.
const setWithTags: FakeCall = (cache, request) => {
  const { key, value, ttlMs } = checkedItem(cache, request);
  cache.put(key, { type: "scalar", value }, ttlMs, namesOf(request.list(6)));
  return storedAnswer;
};

const removeByTag: FakeCall = (cache, request) => {
  const tags = namesOf(request.list(1));
  if (tags.size === 0) throw invalid("the request names no tag");
  cache.removeTagged(tags);
  return emptyAnswer;
};

function namesOf(tags: readonly Buffer[]): ReadonlySet<string> {
  if (tags.length > maxTags || tags.some((tag) => tag.length === 0 || tag.length > maxTagBytes))
    throw invalid(`a tag has from 1 to ${maxTagBytes} bytes, and an item or a request at most ${maxTags} tags`);
  return new Set(tags.map(nameOf));
}

/** Calls on tags, by their rpc. */
export const tagCalls: Readonly<Record<string, FakeCall>> = { SetWithLease: setWithTags, RemoveByTag: removeByTag };
