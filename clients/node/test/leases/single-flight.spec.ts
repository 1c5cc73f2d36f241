import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import { systemClock } from "../../src/calls/clock.js";
import { SingleFlight, type StaleOffer, type Work } from "../../src/leases/single-flight.js";

function held() {
  let settle: (value: Buffer) => void = () => {};
  let signal: AbortSignal | undefined;
  const value = new Promise<Buffer>((resolve) => {
    settle = resolve;
  });
  const work = (given?: AbortSignal) => {
    signal = given;
    return value;
  };
  return { work, settle: (text: string) => settle(Buffer.from(text)), signal: () => signal };
}

describe("SingleFlight", () => {
  test("concurrent callers receive separate buffers with equal values", async () => {
    const flights = new SingleFlight();
    const { work, settle } = held();
    const calls = [1, 2, 3].map(() => flights.run("key", undefined, work));
    settle("value");
    const values = await Promise.all(calls);
    values[0]!.fill(0);
    assert.deepEqual(values.slice(1).map(String), ["value", "value"]);
    values[1]!.fill(0);
    assert.equal(String(values[2]), "value");
    assert.equal(flights.size, 0);
  });

  test("aborted signal starts no work", async () => {
    const flights = new SingleFlight();
    let begun = false;
    const work = async () => {
      begun = true;
      return Buffer.alloc(0);
    };
    await assert.rejects(flights.run("key", AbortSignal.abort(new Error("gone")), work), /gone/);
    assert.deepEqual([begun, flights.size], [false, 0]);
  });

  test("abort of one caller does not affect the others", async () => {
    const flights = new SingleFlight();
    const { work, settle, signal } = held();
    const first = new AbortController();
    const second = new AbortController();
    const leaving = flights.run("key", first.signal, work);
    const staying = flights.run("key", second.signal, work);
    first.abort(new Error("enough"));
    await assert.rejects(leaving, /enough/);
    assert.equal(signal()!.aborted, false);
    settle("value");
    assert.equal(String(await staying), "value");
  });

  test("work is aborted when all callers abort", async () => {
    const flights = new SingleFlight();
    const { work, signal } = held();
    const controllers = [new AbortController(), new AbortController()];
    const calls = controllers.map((controller) => flights.run("key", controller.signal, work));
    for (const controller of controllers) controller.abort();
    for (const call of calls) await assert.rejects(call);
    assert.equal(signal()!.aborted, true);
    assert.equal(String(await flights.run("key", undefined, async () => Buffer.from("anew"))), "anew");
  });

  test("caller without a signal keeps the work running", async () => {
    const flights = new SingleFlight();
    const { work, settle, signal } = held();
    const controller = new AbortController();
    const leaving = flights.run("key", controller.signal, work);
    const staying = flights.run("key", undefined, work);
    controller.abort();
    await assert.rejects(leaving);
    assert.equal(signal()!.aborted, false);
    settle("value");
    assert.equal(String(await staying), "value");
  });

  test("work whose stale value has been withdrawn is told that all callers have left", async () => {
    const flights = new SingleFlight();
    let offer: (stale: StaleOffer | null) => void = () => {};
    let abandoned = 0;
    const work: Work = (_signal, _within, _alone, given) => {
      offer = given;
      return new Promise(() => {});
    };
    const softTimeout = { clock: systemClock, softTimeoutMs: 0, allows: () => true, exceeded: () => {} };
    const leaving = flights.run("key", undefined, work, softTimeout);
    const controller = new AbortController();
    const staying = flights.run("key", controller.signal, work);
    offer({ value: Buffer.from("old"), expiredMs: 1, atMs: systemClock.now(), abandoned: () => abandoned++ });
    assert.equal(String(await leaving), "old");
    offer(null);
    assert.equal(abandoned, 0);
    controller.abort();
    await assert.rejects(staying);
    assert.equal(abandoned, 1);
    assert.equal(flights.size, 0);
  });

  test("failing work rejects all callers and is removed", async () => {
    const flights = new SingleFlight();
    const failing = () => Promise.reject(new Error("no row"));
    const calls = [1, 2].map(() => flights.run("key", new AbortController().signal, failing));
    for (const call of calls) await assert.rejects(call, /no row/);
    assert.equal(flights.size, 0);
  });
});
