import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import * as v8 from "node:v8";
import { runInNewContext } from "node:vm";
import { Hit } from "../../src/client/hit.js";
import type { NearGet } from "../../src/near/near-get.js";
import { NearState } from "../../src/near/near-state.js";
import type { NearCacheStatistics } from "../../src/near/near-statistics.js";

interface Step {
  readonly at?: number;
  readonly opened?: { readonly stream: number; readonly sentAt: number; readonly leaseMs: number };
  readonly lost?: number;
  readonly renewed?: { readonly stream: number; readonly sentAt: number };
  readonly find?: string;
  readonly then?: string | null;
  readonly begin?: { readonly get: number; readonly key: string; readonly stream: number };
  readonly answered?: {
    readonly get: number;
    readonly value?: string | null;
    readonly bytes?: number;
    readonly ticket: number;
    readonly ttlLeftMs: number;
  };
  readonly failed?: number;
  readonly ended?: string;
  readonly flushed?: string;
  readonly invalidated?: {
    readonly stream: number;
    readonly tickets?: readonly number[];
    readonly from?: number;
    readonly count?: number;
  };
  readonly cleared?: number;
  readonly keys?: readonly string[];
  readonly counts?: Partial<NearCacheStatistics>;
}
interface Case {
  readonly rule: string;
  readonly case: string;
  readonly options?: { readonly maxBytes?: number; readonly maxAgeMs?: number };
  readonly steps: readonly Step[];
}

const path = new URL("../../../../../protocol/vectors/clients/near-cache.json", import.meta.url);
const cases = JSON.parse(readFileSync(path, "utf8")) as readonly Case[];
const names = [
  "at",
  "opened",
  "lost",
  "renewed",
  "find",
  "then",
  "begin",
  "answered",
  "failed",
  "ended",
  "flushed",
  "invalidated",
  "cleared",
  "keys",
  "counts",
];

/** Returns the cache and the key that a vector names. The cache is "c" unless the text contains another cache. */
function named(key: string): readonly [cacheName: string, key: string] {
  const slash = key.indexOf("/");
  return slash < 0 ? ["c", key] : [key.slice(0, slash), key.slice(slash + 1)];
}

function shown(cacheName: string, key: string): string {
  return cacheName === "c" ? key : `${cacheName}/${key}`;
}

function hitOf(value: string | Buffer): Hit {
  const bytes = Buffer.concat([Buffer.from("before"), Buffer.from(value), Buffer.from("after")]);
  return new Hit(bytes, 6, bytes.length - 5);
}

function heldBy(state: NearState): string[] {
  return [...state.held].map(({ cacheName, key }) => shown(cacheName, key)).sort();
}

/** Runs one step of a vector. Returns the time after the step. */
function take(state: NearState, step: Step, now: number, gets: Map<number, NearGet>): number {
  const { answered, begin, opened, renewed, invalidated } = step;
  if (step.at !== undefined) return step.at;
  if (opened !== undefined) state.opened(opened.stream, opened.sentAt, opened.leaseMs);
  else if (step.lost !== undefined) state.lost(step.lost);
  else if (renewed !== undefined) state.renewed(renewed.stream, renewed.sentAt);
  else if (step.find !== undefined)
    assert.equal(state.find(...named(step.find), now)?.hit().value ?? null, step.then, `the copy of ${step.find}`);
  else if (begin !== undefined) gets.set(begin.get, state.begin(...named(begin.key), begin.stream, now));
  else if (answered !== undefined) {
    const { value = Buffer.alloc(answered.bytes ?? 0), ticket, ttlLeftMs } = answered;
    state.answered(gets.get(answered.get)!, value === null ? null : hitOf(value), ticket, ttlLeftMs, now);
  } else if (step.failed !== undefined) state.failed(gets.get(step.failed)!);
  else if (step.ended !== undefined) state.ended(...named(step.ended));
  else if (step.flushed !== undefined) state.flushed(step.flushed);
  else if (invalidated !== undefined) {
    const { from = 0, count = 0 } = invalidated;
    const { tickets = Array.from({ length: count }, (_, i) => from + i) } = invalidated;
    state.invalidated(invalidated.stream, tickets);
  } else if (step.cleared !== undefined) state.cleared(step.cleared);
  return now;
}

describe("NearState, shared vectors", () => {
  for (const { rule, case: sentence, options = {}, steps } of cases)
    test(`${rule}: ${sentence}`, () => {
      const { maxBytes = 1_048_576, maxAgeMs = 60_000 } = options;
      const state = new NearState(maxBytes, maxAgeMs);
      const gets = new Map<number, NearGet>();
      let now = 0;
      for (const [i, step] of steps.entries()) {
        for (const name of Object.keys(step)) assert.ok(names.includes(name), `there is no step "${name}"`);
        now = take(state, step, now, gets);
        const where = `after step ${i}, ${JSON.stringify(step)}`;
        if (step.keys !== undefined) assert.deepEqual(heldBy(state), step.keys, where);
        if (step.counts !== undefined)
          assert.deepEqual({ ...state.statistics(), ...step.counts }, state.statistics(), where);
      }
    });
});

describe("NearState with concurrent gets of one key", () => {
  for (const value of ["v", "wörth", "x".repeat(5_000), Buffer.from([0, 255])])
    test(`concurrent equal responses keep the first copy, value length ${value.length}`, () => {
      const state = new NearState(1_048_576, 60_000);
      state.opened(1, 0, 3_000);
      const gets = Array.from({ length: 10 }, () => state.begin("c", "k", 1, 0));
      for (const get of gets.slice(1)) state.answered(get, hitOf(value), 7, 60_000, 0);
      assert.deepEqual(state.find("c", "k", 0)?.hit().valueBytes, Buffer.from(value as string));
      const { kept, poisoned, copies } = state.statistics();
      assert.deepEqual({ kept, poisoned, copies }, { kept: 1, poisoned: 8, copies: 1 });
      const other = Buffer.from(value as string);
      other[0]! ^= 1;
      state.answered(gets[0]!, hitOf(other), 7, 60_000, 0);
      assert.equal(state.find("c", "k", 0), null, "another value is newer, or older: who knows");
    });
});

describe("NearState memory", () => {
  test("NEAR-27: copy does not keep larger source buffers in memory", async () => {
    v8.setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const used = () => {
      collect();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const state = new NearState(1_048_576, 60_000);
    state.opened(1, 0, 3_000);
    const before = used();
    for (let i = 0; i < 100; i++) {
      const body = Buffer.alloc(1_000_000, `a key of its own: ${i}, `);
      const key = body.toString("latin1").slice(5, 40);
      const get = state.begin("c", key, 1, 0);
      state.answered(get, new Hit(body, 10, 10 + i * 30), 7, 60_000, 0);
    }
    assert.ok(state.statistics().copies > 0);
    let keptBytes = used() - before;
    // The garbage collector may pass buffers to another thread, which frees them later.
    for (let turn = 0; turn < 100 && keptBytes >= 10_000_000; turn++) {
      await setTimeout(10);
      keptBytes = used() - before;
    }
    assert.ok(keptBytes < 10_000_000, `${keptBytes} bytes`);
  });
});
