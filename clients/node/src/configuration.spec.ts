import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { withSettings } from "./configuration.js";
import { Configurations } from "./configurations.js";
import { CredentialProvider } from "./credential-provider.js";
import { version } from "./version.js";

describe("Configurations", () => {
  test("version 1 is what was published", () => {
    const { Laptop, InRegion, Lambda } = Configurations;
    const values = [Laptop, InRegion.Default, InRegion.LowLatency, Lambda].map((configuration) => {
      const { requestTimeoutMs, maxInFlightUnary, channels, maxRetries, queueLimit } = configuration.v1();
      return [requestTimeoutMs, maxInFlightUnary, channels, maxRetries, queueLimit];
    });
    assert.deepEqual(values, [
      [5_000, 100, 5, 3, 20_000],
      [1_100, 50, 2, 3, 20_000],
      [500, 2, 2, 3, 20_000],
      [1_100, 50, 1, 3, 20_000],
    ]);
  });

  test("the pipelined caps are those of the runs through the delay proxy", () => {
    const { Laptop, InRegion, Lambda } = Configurations;
    const caps = [Laptop, InRegion.Default, InRegion.LowLatency, Lambda].map((one) => one.v1().maxInFlightPipeline);
    assert.deepEqual(caps, [1_000, 2_500, 600, 2_500]);
  });

  test("a changed copy keeps every other setting, and the original stays", () => {
    const original = Configurations.Laptop.v1();
    const copy = withSettings(original, { requestTimeoutMs: 42 });
    assert.deepEqual({ ...copy, requestTimeoutMs: original.requestTimeoutMs }, original);
    assert.ok(Object.isFrozen(copy));
  });

  test("a setting out of its range is refused by its name", () => {
    const wrong = [
      { requestTimeoutMs: 0 },
      { maxInFlightUnary: 0 },
      { maxInFlightPipeline: 1.5 },
      { adaptiveTargetMs: 0 },
      { adaptiveTargetMs: 5_001 },
      { queueLimit: -1 },
      { channels: 0 },
      { maxRetries: 11 },
      { keepaliveIntervalMs: 999 },
      { keepaliveTimeoutMs: Number.NaN },
    ];
    for (const changes of wrong) {
      const [name] = Object.keys(changes);
      assert.throws(() => withSettings(Configurations.Laptop.v1(), changes), new RegExp(`^RangeError: ${name}`));
    }
  });

  test("AUTH-5: a token is in no text of its provider", () => {
    const provider = CredentialProvider.fromString("https://s3cret@cache.example:443");
    assert.doesNotMatch(JSON.stringify(provider) + String(provider), /s3cret/);
  });

  test("an endpoint without a port is refused", () => {
    assert.throws(() => CredentialProvider.local("localhost"), RangeError);
  });

  test("the version is the package's", () => {
    const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    assert.equal(version, manifest.version);
  });
});
