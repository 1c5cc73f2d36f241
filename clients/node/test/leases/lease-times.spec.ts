// The cases of protocol/vectors/clients/get-or-set.json, which all clients run.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import type { GetOrSetOptions } from "../../src/client/client-options.js";
import { CacheError } from "../../src/client/errors.js";
import { FactoryContext } from "../../src/leases/factory-context.js";
import { factoryValue, plainForm } from "../../src/leases/factory-value.js";
import { leaseSettingsOf } from "../../src/leases/lease-settings.js";
import { jitteredTtl, staleReading, storedTimes } from "../../src/leases/lease-times.js";

interface Case {
  readonly rule: string;
  readonly case: string;
  readonly options: GetOrSetOptions & {
    readonly ttlMs: number;
    readonly madeTtlMs?: number;
    readonly contextTtlMs?: number;
  };
  readonly random?: number;
  readonly stale?: { readonly expiredMs: number; readonly leased: boolean };
  readonly then: Readonly<Record<string, unknown>>;
}

const path = new URL("../../../../../protocol/vectors/clients/get-or-set.json", import.meta.url);
const cases = JSON.parse(readFileSync(path, "utf8")) as readonly Case[];
const year = 31_536_000_000;

function outcomeOf({ options: { madeTtlMs, contextTtlMs, ...options }, random = 0, stale }: Case): object {
  try {
    // A TTL alone does not create lease settings. Therefore pass `jitter: 0`. This is the default value, so it does
    // not change the times.
    const settings = leaseSettingsOf({ jitter: 0, ...options }, options.ttlMs)!;
    if (stale !== undefined) return staleReading(stale.expiredMs, stale.leased, settings);
    const context = new FactoryContext(null, plainForm.decode);
    context.ttlMs = contextTtlMs;
    const made = factoryValue("value", { form: plainForm, context, stale: null, ttlOf: () => madeTtlMs, tags: [] });
    return storedTimes(made.ttlMs ?? options.ttlMs, settings, () => random);
  } catch (error) {
    assert.ok(error instanceof CacheError && error.code === "InvalidArgument");
    return { refused: true };
  }
}

describe("getOrSet times", () => {
  for (const each of cases) test(`${each.rule}: ${each.case}`, () => assert.deepEqual(outcomeOf(each), each.then));

  test("GOC-14: half of an odd TTL is rounded down", () => {
    const settings = leaseSettingsOf({ refreshAheadForMs: 10_000 }, 60_000)!;
    assert.deepEqual(
      storedTimes(5_001, settings, () => 0),
      { ttlMs: 2_501, staleMs: 2_500 },
    );
    assert.deepEqual(
      storedTimes(1, settings, () => 0),
      { ttlMs: 1, staleMs: 0 },
    );
  });

  test("stale time is the longer of both options, rounded up", () => {
    const staleMs = (options: GetOrSetOptions) =>
      storedTimes(60_000, leaseSettingsOf(options, 60_000)!, () => 0).staleMs;
    assert.equal(staleMs({ revalidateForMs: 1.5, failSafeForMs: 1 }), 2);
    assert.equal(staleMs({ revalidateForMs: 1, failSafeForMs: year }), year);
  });

  test("GOC-7: jitter shortens the TTL to at least 1 ms", () => {
    assert.equal(
      jitteredTtl(1_000, 0, () => 1),
      1_000,
    );
    assert.deepEqual(
      [0, 0.5, 1].map((drawn) => jitteredTtl(1_000, 0.5, () => drawn)),
      [1_000, 750, 500],
    );
    assert.equal(
      jitteredTtl(year, 1, () => 1),
      1,
    );
  });
});
