import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import { SingleFlight } from "../../src/leases/single-flight.js";

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
  test("callers of one key get equal values in memory of their own", async () => {
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

  test("a signal that is aborted already begins nothing", async () => {
    const flights = new SingleFlight();
    let begun = false;
    const work = async () => {
      begun = true;
      return Buffer.alloc(0);
    };
    await assert.rejects(flights.run("key", AbortSignal.abort(new Error("gone")), work), /gone/);
    assert.deepEqual([begun, flights.size], [false, 0]);
  });

  test("one caller that gives up leaves the others their value", async () => {
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

  test("when every caller has given up the work is told, and the next caller begins anew", async () => {
    const flights = new SingleFlight();
    const { work, signal } = held();
    const controllers = [new AbortController(), new AbortController()];
    const calls = controllers.map((controller) => flights.run("key", controller.signal, work));
    for (const controller of controllers) controller.abort();
    for (const call of calls) await assert.rejects(call);
    assert.equal(signal()!.aborted, true);
    assert.equal(String(await flights.run("key", undefined, async () => Buffer.from("anew"))), "anew");
  });

  test("a caller without a signal keeps the work going", async () => {
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

  test("work that throws rejects every caller, and is forgotten", async () => {
    const flights = new SingleFlight();
    const failing = () => Promise.reject(new Error("no row"));
    const calls = [1, 2].map(() => flights.run("key", new AbortController().signal, failing));
    for (const call of calls) await assert.rejects(call, /no row/);
    assert.equal(flights.size, 0);
  });
});
