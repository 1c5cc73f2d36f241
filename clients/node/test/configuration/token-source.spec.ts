import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { TokenProvider } from "../../src/configuration/token-provider.js";
import { TokenSource } from "../../src/configuration/token-source.js";
import { ManualClock } from "../../src/testing/manual-clock.js";

function made(provider: (...args: never[]) => unknown) {
  const clock = new ManualClock();
  const asked: AbortSignal[] = [];
  const tokens = new TokenSource((options) => {
    asked.push(options.signal);
    return (provider as (options: unknown) => string)(options);
  }, clock);
  return { clock, tokens, asked };
}

describe("TokenSource", () => {
  test("AUTH-30: token is cached for later callers", async () => {
    const { tokens, asked } = made(() => "one");
    assert.deepEqual(await tokens.newerThan(0), { newer: true });
    assert.deepEqual(await tokens.newerThan(0), { newer: true });
    assert.deepEqual([tokens.token, tokens.version, asked.length], ["one", 1, 1]);
  });

  test("AUTH-31: 1,000 rejected callers share one token request", async () => {
    let next = 0;
    const { tokens, asked } = made(async () => `token${next++}`);
    await tokens.newerThan(0);
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => tokens.newerThan(1)));
    assert.ok(answers.every(({ newer }) => newer));
    assert.equal(asked.length, 2);
    assert.ok((await tokens.newerThan(1)).newer);
    assert.equal(asked.length, 2);
  });

  test("AUTH-31: provider is called at most once a second", async () => {
    const { tokens, asked, clock } = made(() => "same");
    for (let tenth = 0; tenth < 50; tenth++) {
      await tokens.newerThan(tokens.version);
      clock.advance(100);
    }
    // The first token takes one provider call. The other five calls are at 0, 1, 2, 3 and 4 s.
    assert.equal(asked.length, 6);
  });

  for (const [what, provider, message] of [
    [
      "throws",
      () => {
        throw new SyntaxError("sesame");
      },
      "threw SyntaxError",
    ],
    ["rejects", () => Promise.reject(new RangeError("sesame")), "threw RangeError"],
    ["rejects with null", () => Promise.reject(null), "threw null"],
    ["returns null", () => null, "must return a string, not null"],
    ["returns undefined", () => undefined, "must return a string, not undefined"],
    ["returns a number", () => 7, "not a value of type number"],
    ["returns an empty string", () => "", "returned an empty token"],
    ["returns a line break", () => "sesame\n", "not printable ASCII"],
    ["returns an additional header", () => "sesame\r\ncache: other", "not printable ASCII"],
    ["returns an oversized token", () => "s".repeat(16_385), "at most 16384"],
    [
      "returns a throwing thenable",
      () => ({
        // biome-ignore lint/suspicious/noThenProperty: the test needs a hostile thenable.
        get then() {
          throw new TypeError("sesame");
        },
      }),
      "threw TypeError",
    ],
  ] as const)
    test(`AUTH-33: provider that ${what} fails without revealing secrets`, async () => {
      const { tokens, asked, clock } = made(provider);
      const answer = await tokens.newerThan(0);
      assert.ok(!answer.newer && answer.failure?.message.includes(message), JSON.stringify(answer));
      assert.ok(!answer.failure?.message.includes("sesame"));
      await tokens.newerThan(0);
      assert.equal(asked.length, 1);
      clock.advance(1_000);
      await tokens.newerThan(0);
      assert.equal(asked.length, 2);
    });

  test("AUTH-32: silent provider times out after 30 s", async () => {
    const answers: ((token: string) => void)[] = [];
    const { tokens, asked, clock } = made(() => new Promise<string>((resolve) => answers.push(resolve)));
    const waiting = tokens.newerThan(0);
    await Promise.resolve();
    clock.advance(30_000);
    const answer = await waiting;
    assert.ok(!answer.newer && answer.failure?.message.includes("did not return within 30 s"));
    assert.ok(asked[0]!.aborted);
    answers[0]!("late");
    await new Promise(setImmediate);
    assert.equal(tokens.token, undefined);
    assert.equal(clock.scheduled, 0);
  });

  test("AUTH-32: close ends the wait and ignores late tokens", async () => {
    const answers: ((token: string) => void)[] = [];
    const { tokens, asked, clock } = made(() => new Promise<string>((resolve) => answers.push(resolve)));
    const waiting = tokens.newerThan(0);
    tokens.close();
    assert.equal((await waiting).newer, false);
    assert.ok(asked[0]!.aborted);
    answers[0]!("late");
    await new Promise(setImmediate);
    assert.deepEqual([tokens.token, clock.scheduled], [undefined, 0]);
    assert.equal((await tokens.newerThan(0)).newer, false);
    assert.equal(asked.length, 1);
  });

  test("AUTH-30: token file is read each time and its text trimmed", async () => {
    const folder = mkdtempSync(join(tmpdir(), "larder-token-"));
    const path = join(folder, "token");
    const { tokens } = made(TokenProvider.fromFile(path) as never);
    const missing = await tokens.newerThan(0);
    assert.ok(!missing.newer && missing.failure?.message === `the token file '${path}' cannot be read: ENOENT`);
    writeFileSync(path, "one\n");
    const other = made(TokenProvider.fromFile(path) as never).tokens;
    await other.newerThan(0);
    assert.equal(other.token, "one");
    writeFileSync(path, "  two\r\n");
    await other.newerThan(1);
    assert.deepEqual([other.token, other.version], ["two", 2]);
    rmSync(folder, { recursive: true });
  });
});
