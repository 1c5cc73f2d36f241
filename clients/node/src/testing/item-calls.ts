import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { failedPrecondition, invalid } from "./call-rejection.js";
import type { FakeCache, FakeItem } from "./fake-cache.js";
import { emptyAnswer, type FakeCall, foundAnswer, missingAnswer } from "./fake-call.js";
import { itemTypes } from "./fake-values.js";
import { requireItemSize } from "./limits.js";
import { field, type Message, numberField } from "./message.js";

const hashBytes = 16;
const storedAnswer = field(1);
const notStoredAnswer = field(2);
const okAnswer = numberField(1, 1);
const missAnswer = numberField(1, 3);
const counterPattern = /^-?[0-9]+$/;
const largest = 2n ** 63n - 1n;

/** Returns the value of a counter after an addition (INC-4, INC-5). */
export function added(value: Buffer | undefined, amount: bigint): bigint {
  const text = value?.toString("latin1") ?? "0";
  const before = counterPattern.test(text) ? BigInt(text) : null;
  if (before === null || !isCounter(before))
    throw failedPrecondition("the value is not a 64-bit decimal integer, so it cannot be incremented");
  if (isCounter(before + amount)) return before + amount;
  throw failedPrecondition("the increment would overflow a 64-bit integer; the value was not changed");
}

function isCounter(value: bigint): boolean {
  return value >= -largest - 1n && value <= largest;
}

function hashOf(value: Buffer): Buffer {
  return createHash("sha256").update(value).digest().subarray(0, hashBytes);
}

function scalarOf(cache: FakeCache, key: Buffer): Buffer | undefined {
  return cache.valueOfType(key, "scalar")?.value;
}

function put(cache: FakeCache, request: Message): void {
  const { key, value, ttlMs } = checkedItem(cache, request);
  cache.put(key, { type: "scalar", value }, ttlMs);
}

/** Validates a request that stores an item, and returns the key, the value and the TTL. */
export function checkedItem(cache: FakeCache, request: Message) {
  const [key, value] = [request.bytes(1), request.bytes(2)];
  const ttlMs = cache.ttlIn(request, 3);
  requireItemSize([key, value]);
  return { key, value, ttlMs };
}

function got(cache: FakeCache, key: Buffer): Buffer {
  const value = scalarOf(cache, key);
  return value === undefined ? missAnswer : Buffer.concat([numberField(1, 2), field(2, value)]);
}

const get: FakeCall = (cache, request) => got(cache, request.bytes(1));

const set: FakeCall = (cache, request) => {
  put(cache, request);
  return okAnswer;
};

const remove: FakeCall = (cache, request) => {
  cache.remove(request.bytes(1));
  return emptyAnswer;
};

const increment: FakeCall = (cache, request) => {
  const key = request.bytes(1);
  const ttlMs = cache.ttlIn(request, 3);
  const sum = added(scalarOf(cache, key), request.signed(2));
  const item = request.flag(64) ? cache.find(key) : undefined;
  const left = item === undefined ? ttlMs : cache.remainingTtlMs(item);
  cache.put(key, { type: "scalar", value: Buffer.from(`${sum}`) }, left);
  return numberField(1, sum);
};

// Whether a condition is met in each of three cases: the key is missing, the stored value equals the given value, or
// the two values differ.
type Condition = readonly [missing: boolean, equal: boolean, different: boolean];
const conditions: Readonly<Record<number, Condition>> = {
  5: [false, false, true],
  7: [false, true, false],
  8: [true, true, false],
  9: [true, false, true],
};

const setIf: FakeCall = (cache, request) => {
  const { key } = checkedItem(cache, request);
  const arm = [4, 5, 6, 7, 8, 9].find((each) => request.has(each))!;
  const holds =
    arm === 4 || arm === 6
      ? (cache.find(key) !== undefined) === (arm === 4)
      : compared(conditions[arm]!, scalarOf(cache, key), request.message(arm).bytes(1));
  if (holds) put(cache, request);
  return holds ? storedAnswer : notStoredAnswer;
};

const hashConditions: Readonly<Record<number, Condition>> = {
  4: [false, false, true],
  5: [false, true, false],
  6: [true, true, false],
  7: [true, false, true],
};

const setIfHash: FakeCall = (cache, request) => {
  const { key, value } = checkedItem(cache, request);
  const arm = [4, 5, 6, 7, 8].find((each) => request.has(each))!;
  const stored = arm === 8 ? undefined : scalarOf(cache, key);
  const hash = stored === undefined ? undefined : hashOf(stored);
  if (arm !== 8 && !compared(hashConditions[arm]!, hash, request.message(arm).bytes(1))) return notStoredAnswer;
  put(cache, request);
  return foundAnswer([field(1, hashOf(value))]);
};

function compared([missing, equal, different]: Condition, there: Buffer | undefined, comparand: Buffer): boolean {
  if (there === undefined) return missing;
  return there.equals(comparand) ? equal : different;
}

const getWithHash: FakeCall = (cache, request) => {
  const value = scalarOf(cache, request.bytes(1));
  return value === undefined ? missingAnswer : foundAnswer([field(1, value), field(2, hashOf(value))]);
};

const keysExist: FakeCall = (cache, request) =>
  Buffer.concat(request.list(1).map((key) => numberField(1, cache.find(key) === undefined ? 0 : 1)));

// Handles a batch of gets. The responses are encoded as in the pipeline's result.
const getBatch: FakeCall = (cache, request) =>
  Buffer.concat(request.messages(1).map((item) => field(1, got(cache, item.bytes(1)))));

const setBatch: FakeCall = (cache, request) => {
  const items = request.messages(1);
  for (const item of items) checkedItem(cache, item);
  for (const item of items) put(cache, item);
  return Buffer.concat(items.map(() => field(1, okAnswer)));
};

const itemGetTtl: FakeCall = (cache, request) => {
  const item = cache.find(request.bytes(1));
  return item === undefined ? missingAnswer : foundAnswer([numberField(1, cache.reportedTtlMs(item))]);
};

const itemGetType: FakeCall = (cache, request) => {
  const item = cache.find(request.bytes(1));
  return item === undefined ? missingAnswer : foundAnswer([numberField(1, itemTypes.indexOf(item.value.type))]);
};

const setAnswer = field(1);
const notSetAnswer = field(2);
const noItemAnswer = field(3);

const updateTtl: FakeCall = (cache, request) => {
  const change = [2, 3, 4].find((each) => request.has(each))!;
  const ttlMs = cache.ttlIn(request, change);
  const item = cache.find(request.bytes(1));
  if (item === undefined) return noItemAnswer;
  if (!changes(change, ttlMs, cache, item)) return notSetAnswer;
  cache.extendTtl(item, ttlMs);
  return setAnswer;
};

function changes(change: number, ttlMs: number, cache: FakeCache, item: FakeItem): boolean {
  if (change === 2) return ttlMs > cache.remainingTtlMs(item);
  return change === 4 || ttlMs < cache.remainingTtlMs(item);
}

// TTL-18: maximum length of a prefix.
const maxPrefixBytes = 64;

const updateTtlIfPrefix: FakeCall = (cache, request) => {
  const prefix = request.bytes(2);
  if (prefix.length > maxPrefixBytes) {
    throw invalid(`the prefix is ${prefix.length} bytes, but at most ${maxPrefixBytes} are allowed`);
  }
  const ttlMs = cache.ttlIn(request, 3);
  const value = scalarOf(cache, request.bytes(1));
  if (value === undefined) return noItemAnswer;
  const head = value.subarray(0, maxPrefixBytes);
  if (prefix.length === 0 || !head.subarray(0, prefix.length).equals(prefix)) return field(2, field(1, head));
  cache.extendTtl(cache.find(request.bytes(1))!, ttlMs);
  return setAnswer;
};

/** The calls on one item or several items, by RPC name. */
export const itemCalls: Readonly<Record<string, FakeCall>> = {
  Get: get,
  Set: set,
  Delete: remove,
  Increment: increment,
  SetIf: setIf,
  SetIfHash: setIfHash,
  GetWithHash: getWithHash,
  KeysExist: keysExist,
  GetBatch: getBatch,
  SetBatch: setBatch,
  ItemGetTtl: itemGetTtl,
  ItemGetType: itemGetType,
  UpdateTtl: updateTtl,
  UpdateTtlIfPrefix: updateTtlIfPrefix,
};
