import { Buffer } from "node:buffer";
import type { FakeCache } from "./fake-cache.js";
import { emptyAnswer, type FakeCall, foundAnswer, lengthAnswer, missingAnswer, partOf } from "./fake-call.js";
import { bytesOf, type Dictionary, nameOf } from "./fake-values.js";
import { added } from "./item-calls.js";
import { elementsIn, fieldOverhead, requireAnswerSize, requireCount, requireItemSize } from "./limits.js";
import { field, numberField } from "./message.js";

const get: FakeCall = (cache, request) => {
  const asked = elementsIn(request, 2);
  const dictionary = cache.valueOfType(request.bytes(1), "dictionary");
  if (dictionary === undefined) return missingAnswer;
  const values = asked.map((each) => dictionary.fields.get(nameOf(each)) ?? null);
  requireAnswerSize(
    values.map((value) => value?.length ?? 0),
    fieldOverhead,
    "dictionaryGet of fewer fields",
  );
  return foundAnswer(values.map((value) => field(1, partOf(value === null ? null : field(2, value)))));
};

const fetch: FakeCall = (cache, request) => {
  const dictionary = cache.valueOfType(request.bytes(1), "dictionary");
  if (dictionary === undefined) return missingAnswer;
  const items = [...dictionary.fields];
  requireAnswerSize(
    items.map(([name, value]) => name.length + value.length),
    fieldOverhead,
    "dictionaryGet, or scanItems,",
  );
  return foundAnswer(items.map(([name, value]) => field(1, field(1, bytesOf(name)), field(2, value))));
};

const set: FakeCall = (cache, request) => {
  const key = request.bytes(1);
  const items = request.messages(2);
  const ttl = cache.collectionTtlIn(request, 3);
  requireCount(items.length);
  requireItemSize([key, ...items.flatMap((item) => [item.bytes(1), item.bytes(2)])]);
  const dictionary = there(cache, key);
  for (const item of items) dictionary.fields.set(nameOf(item.bytes(1)), item.bytes(2));
  cache.written(key, dictionary, ttl);
  return emptyAnswer;
};

const increment: FakeCall = (cache, request) => {
  const [key, name] = [request.bytes(1), request.bytes(2)];
  const ttl = cache.collectionTtlIn(request, 4);
  requireItemSize([key, name]);
  const dictionary = there(cache, key);
  const sum = added(dictionary.fields.get(nameOf(name)), request.signed(3));
  dictionary.fields.set(nameOf(name), Buffer.from(`${sum}`));
  cache.written(key, dictionary, ttl);
  return numberField(1, sum);
};

const remove: FakeCall = (cache, request) => {
  const key = request.bytes(1);
  const some = elementsIn(request.message(2), 1);
  const dictionary = cache.valueOfType(key, "dictionary");
  if (dictionary === undefined) return emptyAnswer;
  if (request.has(3)) dictionary.fields.clear();
  for (const each of some) dictionary.fields.delete(nameOf(each));
  cache.taken(key, dictionary);
  return emptyAnswer;
};

const length: FakeCall = (cache, request) => {
  const dictionary = cache.valueOfType(request.bytes(1), "dictionary");
  return dictionary === undefined ? missingAnswer : lengthAnswer(dictionary.fields.size);
};

function there(cache: FakeCache, key: Buffer): Dictionary {
  return cache.valueOfType(key, "dictionary") ?? { type: "dictionary", fields: new Map() };
}

/** The calls on dictionaries, by RPC name. */
export const dictionaryCalls: Readonly<Record<string, FakeCall>> = {
  DictionaryGet: get,
  DictionaryFetch: fetch,
  DictionarySet: set,
  DictionaryIncrement: increment,
  DictionaryDelete: remove,
  DictionaryLength: length,
};
