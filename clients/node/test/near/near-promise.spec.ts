// Checks the guarantee of protocol/spec/near-cache.md with random runs of one client's NearState against a model of a
// server.
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import fc from "fast-check";
import { Hit } from "../../src/client/hit.js";
import type { NearGet } from "../../src/near/near-get.js";
import { NearState } from "../../src/near/near-state.js";

const leaseMs = 100;
const cacheName = "c";

/** A message on the stream to the client. The messages of a stream arrive in order. */
type Message = { readonly apply: () => void };
/** A call whose request is on its way to the server or is being executed. */
type Work = { readonly run: () => void };

/** A server, one of its clients, and other clients that write. Each event happens only when the test triggers it. */
class World {
  readonly state = new NearState(1_000, 60_000);
  #now = 0;
  #stream = 1;
  // The server's state: the current version of each key, and its history.
  readonly #versions = new Map<string, number>();
  readonly #history: { readonly key: string; readonly version: number; readonly at: number }[] = [];
  readonly #noted = new Set<number>();
  // Work in progress: requests that the server has not executed yet, responses that it has not written yet, messages on
  // the stream, and calls outside the stream.
  #requests: Work[] = [];
  #answers: Message[] = [];
  #carried: Message[] = [];
  readonly #elsewhere: Work[] = [];
  readonly #gets = new Set<NearGet>();
  // The highest version of each key that a caller of this client has seen.
  readonly #seen = new Map<string, number>();
  finds = 0;

  constructor(private readonly ticketOf: (key: string) => number) {
    this.state.opened(this.#stream, 0, leaseMs);
    for (const each of ["a", "b"]) this.#store(each);
  }

  pass(ms: number): void {
    this.#now += ms;
  }

  /** Starts a near get of a key. */
  get(key: string): void {
    const stream = this.#stream;
    const get = this.state.begin(cacheName, key, stream, this.#now);
    this.#gets.add(get);
    this.#requests.push({
      run: () => {
        this.#noted.add(this.ticketOf(key));
        const version = this.#versions.get(key) ?? 0;
        this.#answers.push({
          apply: () => {
            if (!this.#gets.delete(get)) return;
            const hit = version === 0 ? null : hitOf(version);
            this.state.answered(get, hit, version === 0 ? 0 : this.ticketOf(key) + 1, 60_000, this.#now);
            this.#see(key, version);
          },
        });
      },
    });
  }

  /** Starts another call of this client, on the near stream or outside it. */
  call(key: string, how: { readonly writes: boolean; readonly elsewhere: boolean }): void {
    const stream = this.#stream;
    const end = (version: number) => ({
      apply: () => {
        this.state.ended(cacheName, key);
        this.#see(key, version);
      },
    });
    const run = () => {
      if (how.writes) this.#write(key);
      const answer = end(this.#versions.get(key) ?? 0);
      if (how.elsewhere) this.#elsewhere.push({ run: answer.apply });
      else if (stream === this.#stream) this.#answers.push(answer);
    };
    (how.elsewhere ? this.#elsewhere : this.#requests).push({ run });
  }

  /** Starts a write by another client. */
  otherWrites(key: string): void {
    this.#write(key);
  }

  flush(): void {
    for (const key of this.#versions.keys()) this.#store(key);
    this.#noted.clear();
    this.#carried.push({ apply: () => this.state.cleared(this.#streamOfMessages) });
  }

  renew(): void {
    const stream = this.#stream;
    const sentAt = this.#now;
    this.#requests.push({ run: () => this.#carried.push({ apply: () => this.state.renewed(stream, sentAt) }) });
  }

  loseStream(): void {
    this.state.lost(this.#stream);
    for (const get of this.#gets) this.state.failed(get);
    this.#gets.clear();
    this.#requests = [];
    this.#answers = [];
    this.#carried = [];
    this.#noted.clear();
    this.#stream++;
    this.state.opened(this.#stream, this.#now, leaseMs);
  }

  /** Executes one request, sends one response, delivers one message, or runs one step of a call outside the stream. */
  step(list: "requests" | "answers" | "carried" | "elsewhere", which: number): void {
    if (list === "carried") this.#carried.shift()?.apply();
    else if (list === "elsewhere") taken(this.#elsewhere, which)?.run();
    else if (list === "requests") taken(this.#requests, which)?.run();
    else {
      const answer = taken(this.#answers, which);
      if (answer !== undefined) this.#carried.push(answer);
    }
  }

  /** Looks up a copy. If there is one, asserts that its version satisfies the guarantee. */
  find(key: string): void {
    const copy = this.state.find(cacheName, key, this.#now);
    if (copy === null) return;
    this.finds++;
    const found = Number(copy.hit().value);
    assert.ok(found >= (this.#seen.get(key) ?? 0), `${key} went back from ${this.#seen.get(key)} to ${found}`);
    const known = this.#history.findLast((each) => each.key === key && each.at <= this.#now - leaseMs);
    assert.ok(found >= (known?.version ?? 0), `${key} is ${found}, and was ${known?.version} a lease ago`);
    this.#see(key, found);
  }

  get #streamOfMessages(): number {
    return this.#stream;
  }

  #see(key: string, version: number): void {
    this.#seen.set(key, Math.max(version, this.#seen.get(key) ?? 0));
  }

  #store(key: string): void {
    const version = (this.#versions.get(key) ?? 0) + 1;
    this.#versions.set(key, version);
    this.#history.push({ key, version, at: this.#now });
  }

  #write(key: string): void {
    this.#store(key);
    const ticket = this.ticketOf(key);
    if (!this.#noted.delete(ticket)) return;
    this.#carried.push({ apply: () => this.state.invalidated(this.#streamOfMessages, [ticket]) });
  }
}

function hitOf(version: number): Hit {
  const bytes = Buffer.from(String(version));
  return new Hit(bytes, 0, bytes.length);
}

function taken<T>(list: T[], which: number): T | undefined {
  return list.splice(which % Math.max(1, list.length), 1)[0];
}

const key = fc.constantFrom("a", "b");
const act = fc.oneof(
  { weight: 6, arbitrary: key.map((each) => (world: World) => world.find(each)) },
  { weight: 4, arbitrary: key.map((each) => (world: World) => world.get(each)) },
  {
    weight: 3,
    arbitrary: fc.record({ key, writes: fc.boolean(), elsewhere: fc.boolean() }).map(
      ({ key, ...how }) =>
        (world: World) =>
          world.call(key, how),
    ),
  },
  { weight: 3, arbitrary: key.map((each) => (world: World) => world.otherWrites(each)) },
  {
    weight: 12,
    arbitrary: fc
      .record({ list: fc.constantFrom("requests", "answers", "carried", "elsewhere"), which: fc.nat(5) })
      .map(
        ({ list, which }) =>
          (world: World) =>
            world.step(list, which),
      ),
  },
  { weight: 2, arbitrary: fc.nat(60).map((ms) => (world: World) => world.pass(ms)) },
  { weight: 1, arbitrary: fc.constant((world: World) => world.renew()) },
  { weight: 1, arbitrary: fc.constant((world: World) => world.flush()) },
  { weight: 1, arbitrary: fc.constant((world: World) => world.loseStream()) },
);

describe("near cache guarantee", () => {
  for (const [name, ticketOf] of [
    ["two tickets", (each: string) => each.charCodeAt(0)],
    ["one ticket", () => 7],
  ] as const)
    test(`reads are monotonic and at most one lease old: ${name}`, () => {
      let finds = 0;
      fc.assert(
        fc.property(fc.array(act, { minLength: 30, maxLength: 150, size: "max" }), (acts) => {
          const world = new World(ticketOf);
          for (const each of acts) each(world);
          finds += world.finds;
        }),
        { numRuns: 20_000, endOnFailure: false },
      );
      assert.ok(finds > 2_000, `${finds} copies were found`);
    });
});
