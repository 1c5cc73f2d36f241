import { Buffer } from "node:buffer";
import { maxLeaseMs } from "../leases/lease-settings.js";
import { maxValidatorBytes } from "../operations/lease-operations.js";
import { invalid, tooLarge } from "./call-rejection.js";
import { emptyAnswer, type FakeCall } from "./fake-call.js";
import { checkedItem } from "./item-calls.js";
import { field, numberField } from "./message.js";
import { tagNamesIn } from "./tag-calls.js";

const storedAnswer = field(1);
const notStoredAnswer = field(2);
const elsewhereAnswer = field(4);

// Handles a lease request. It ignores `wait_ms` and never waits, because this client never sets the field.
const getOrLease: FakeCall = (cache, request) => {
  const [key, leaseMs] = [request.bytes(1), request.number(2)];
  if (leaseMs < 1 || leaseMs > maxLeaseMs)
    throw invalid(`the lease must be from 1 to ${maxLeaseMs} ms, not ${leaseMs}`);
  const found = cache.valueOfType(key, "scalar");
  if (found !== undefined) return field(1, field(1, found.value));
  const stale = cache.findStale(key);
  const lease = cache.leases.take(key, leaseMs);
  if (lease === "full")
    throw tooLarge("the server has reached its maximum number of leases; load the value without a lease", "leases");
  const token = lease === "elsewhere" ? Buffer.alloc(0) : lease.token;
  if (stale?.value.type === "scalar") {
    const expiredMs = numberField(2, Math.floor(-cache.remainingTtlMs(stale)));
    return field(2, field(1, stale.value.value), expiredMs, field(3, token), field(4, stale.validator));
  }
  return lease === "elsewhere" ? elsewhereAnswer : field(3, field(1, token));
};

const setWithLease: FakeCall = (cache, request) => {
  const { key, value, ttlMs } = checkedItem(cache, request);
  const [staleMs, token, tags] = [cache.staleMsIn(request, 4), request.bytes(5), tagNamesIn(request, 6)];
  const validator = request.bytes(7);
  if (validator.length > maxValidatorBytes) throw invalid(`a validator must have at most ${maxValidatorBytes} bytes`);
  const item = { type: "scalar", value } as const;
  if (token.length === 0) {
    cache.put(key, item, ttlMs, { tags, staleMs, validator });
    return storedAnswer;
  }
  const lease = cache.leases.leaseWithToken(key, token);
  if (lease === undefined) return notStoredAnswer;
  if ([...tags].some((tag) => lease.removed.has(tag))) cache.remove(key);
  else cache.put(key, item, ttlMs, { tags, staleMs, validator });
  return storedAnswer;
};

const releaseLease: FakeCall = (cache, request) => {
  const key = request.bytes(1);
  if (cache.leases.leaseWithToken(key, request.bytes(2)) !== undefined) cache.leases.end(key);
  return emptyAnswer;
};

/** The calls on leases, by RPC name. */
export const leaseCalls: Readonly<Record<string, FakeCall>> = {
  GetOrLease: getOrLease,
  SetWithLease: setWithLease,
  ReleaseLease: releaseLease,
};
