import { maxTagBytes, maxTags } from "../operations/tag-list.js";
import { invalid } from "./call-rejection.js";
import { emptyAnswer, type FakeCall } from "./fake-call.js";
import { type Name, nameOf } from "./fake-values.js";
import type { Message } from "./message.js";

const removeByTag: FakeCall = (cache, request) => {
  const tags = tagNamesIn(request, 1);
  if (tags.size === 0) throw invalid("the request has no tag; pass at least one");
  cache.removeTagged(tags);
  return emptyAnswer;
};

/** Returns the tags in a request (TAG-4). */
export function tagNamesIn(request: Message, field: number): ReadonlySet<Name> {
  const tags = request.list(field);
  if (tags.length > maxTags || tags.some((tag) => tag.length === 0 || tag.length > maxTagBytes))
    throw invalid(`a tag must be 1 to ${maxTagBytes} bytes, and an item or request may have at most ${maxTags} tags`);
  return new Set(tags.map(nameOf));
}

/** The calls on tags, by RPC name. */
export const tagCalls: Readonly<Record<string, FakeCall>> = { RemoveByTag: removeByTag };
