import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import type { Call } from "../../src/calls/call.js";
import { Status } from "../../src/client/errors.js";
import { Hit, miss } from "../../src/client/responses.js";
import { NearCache } from "../../src/near/near-cache.js";
import { NearClock } from "../../src/near/near-clock.js";
import type { NearSession, NearStream } from "../../src/near/near-stream.js";
import { GetOperation } from "../../src/operations/scalar-operations.js";
import { GuardedHooks } from "../../src/telemetry/guarded-hooks.js";
import type { ConnectionEvent } from "../../src/telemetry/metrics.js";
import { ManualClock } from "../../src/testing/manual-clock.js";

/** A session of a stream. It records what is sent. */
class FakeSession implements NearSession {
  hasRoom = true;
  readonly sent: Call[] = [];
  send(call: Call): void {
    this.sent.push(call);
  }
  get names(): string[] {
    return this.sent.map(({ operation }) => operation.kind.name);
  }
}

function made() {
  const clock = new ManualClock();
  const now = () => clock.now();
  const events: ConnectionEvent[] = [];
  const hooks = new GuardedHooks({ connectionChanged: (event) => events.push(event) });
  const cache = new NearCache({ maxBytes: 100_000 }, clock, new NearClock(now, now), hooks);
  /** Returns an open stream and its session. */
  const opened = (): readonly [NearStream, FakeSession] => {
    const stream = cache.stream();
    const session = new FakeSession();
    stream.opened(session);
    return [stream, session];
  };
  return { clock, cache, events, opened };
}

const get = new GetOperation("cache", "k");
const refusal = { status: Status.unimplemented, message: "unknown call", notExecuted: false };

/** Reports to the stream that its last call was answered. */
function answer(stream: NearStream, { sent }: FakeSession, leaseMs?: number): void {
  stream.answered(sent.at(-1)!, leaseMs);
}

describe("NearStream", () => {
  test("NEAR-20: stream serves near_get calls only with a lease", () => {
    const { cache, opened } = made();
    const [stream, session] = opened();
    assert.deepEqual(session.names, ["nearOpen"]);
    assert.equal(stream.getOf(get), null);
    answer(stream, session, 3_000);
    assert.equal(stream.getOf(get), get);
    stream.lost();
    assert.equal(stream.getOf(get), null);
    assert.equal(cache.state.pending.gets, 0);
  });

  for (const [leaseMs, renewMs] of [
    [3_000, 1_000],
    [60_000, 1_000],
    [600, 200],
    [1, 10],
  ] as const)
    test(`NEAR-21: lease of ${leaseMs} ms is renewed every ${renewMs} ms`, () => {
      const { clock, opened } = made();
      const [stream, session] = opened();
      clock.advance(2);
      answer(stream, session, leaseMs);
      for (let i = 1; i <= 5; i++) {
        clock.advance(renewMs - 2 - 0.5);
        assert.equal(session.sent.length, i);
        clock.advance(0.5);
        assert.equal(session.names[i], "nearRenew");
        clock.advance(2);
        answer(stream, session);
      }
    });

  test("NEAR-21: renewed lease starts when the renewal is sent", () => {
    const { clock, cache, opened } = made();
    const [stream, session] = opened();
    answer(stream, session, 3_000);
    const hit = new Hit(Buffer.from("v"), 0, 1);
    stream.getEnded(stream.begin(get), hit, 7, 60_000);
    clock.advance(1_000);
    clock.advance(1_500);
    answer(stream, session);
    clock.advance(1_499);
    assert.ok(cache.find("cache", "k"));
    clock.advance(1);
    assert.equal(cache.find("cache", "k"), null);
    assert.equal(session.sent.length, 3, "the next one is late, and was sent at once");
  });

  test("renewal without a response is not repeated", () => {
    const { clock, opened } = made();
    const [stream, session] = opened();
    answer(stream, session, 3_000);
    clock.advance(3_600_000);
    assert.deepEqual(session.names, ["nearOpen", "nearRenew"]);
    stream.lost();
    assert.equal(clock.scheduled, 0);
  });

  test("failed renewal is retried at the next interval", () => {
    const { clock, opened } = made();
    const [stream, session] = opened();
    answer(stream, session, 3_000);
    for (let i = 1; i <= 3; i++) {
      clock.advance(1_000);
      assert.equal(session.sent.length, i + 1);
      stream.failed(session.sent.at(-1)!, refusal);
    }
  });

  test("renewal waits while the stream has no free id", () => {
    const { clock, opened } = made();
    const [stream, session] = opened();
    answer(stream, session, 3_000);
    session.hasRoom = false;
    clock.advance(2_500);
    assert.equal(session.sent.length, 1);
    session.hasRoom = true;
    clock.advance(500);
    assert.equal(session.sent.length, 2);
  });

  test("lost stream schedules nothing and ignores late responses", () => {
    const { clock, cache, opened } = made();
    const [stream, session] = opened();
    answer(stream, session, 3_000);
    const near = stream.begin(get);
    stream.lost();
    stream.lost();
    assert.equal(clock.scheduled, 0);
    stream.getEnded(near, miss, 7, 60_000);
    answer(stream, session, 3_000);
    stream.failed(session.sent[0]!, refusal);
    assert.equal(stream.isNear, false);
    assert.equal(clock.scheduled, 0);
    assert.deepEqual(cache.state.pending, { gets: 0, tickets: 0 });
  });
});

describe("NearCache with several streams", () => {
  test("NEAR-20: next stream sends near_open after loss or refusal", () => {
    const { opened, events } = made();
    const [first, firstSession] = opened();
    const [second, secondSession] = opened();
    const [third, thirdSession] = opened();
    assert.deepEqual(
      [firstSession, secondSession, thirdSession].map(({ sent }) => sent.length),
      [1, 0, 0],
    );
    answer(first, firstSession, 3_000);
    first.lost();
    assert.deepEqual(secondSession.names, ["nearOpen"]);
    second.failed(secondSession.sent[0]!, refusal);
    assert.deepEqual(thirdSession.names, ["nearOpen"]);
    answer(third, thirdSession, 3_000);
    assert.ok(third.isNear);
    assert.deepEqual(events, [{ kind: "nearCacheRefused", message: "unknown call" }]);
    third.lost();
    assert.equal(secondSession.sent.length, 1, "one that has refused is not asked again");
  });

  test("NEAR-20: loss of another stream keeps the near stream", () => {
    const { opened } = made();
    const [first, firstSession] = opened();
    const [second] = opened();
    answer(first, firstSession, 3_000);
    second.lost();
    assert.ok(first.isNear);
  });

  test("NEAR-20: response after stream loss has no effect", () => {
    const { opened } = made();
    const [first, firstSession] = opened();
    const [second] = opened();
    first.lost();
    answer(first, firstSession, 3_000);
    assert.equal(first.isNear, false);
    assert.equal(second.isNear, false);
  });

  test("closed cache requests no stream", () => {
    const { cache, opened } = made();
    const [first, firstSession] = opened();
    answer(first, firstSession, 3_000);
    const [, session] = opened();
    cache.close();
    const [, later] = opened();
    assert.deepEqual([session.sent.length, later.sent.length, first.isNear], [0, 0, false]);
  });
});
