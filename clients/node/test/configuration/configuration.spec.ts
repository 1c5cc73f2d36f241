import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { version } from "../../src/client/version.js";
import type { Configuration } from "../../src/configuration/configuration.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";

/** Returns the laptop configuration with these changes. The values may be invalid or have a wrong type. */
function changed(changes: object): Configuration {
  return withSettings(Configurations.Laptop.v1(), changes);
}

describe("Configurations", () => {
  test("CONFIG-3: version 1 matches the published values", () => {
    const { Laptop, InRegion, Lambda } = Configurations;
    const common = {
      transport: "auto",
      adaptiveTargetMs: "off",
      queueLimit: 20_000,
      maxRetries: 3,
      retryBudget: 0.1,
      initialBackOffMs: 80,
      maxBackOffMs: 1_000,
      connectTimeoutMs: 5_000,
      keepaliveIntervalMs: 5_000,
      keepaliveTimeoutMs: 1_000,
      eagerConnect: false,
      headers: {},
      nearCache: "off",
    };
    for (const [{ v1 }, requestTimeoutMs, maxInFlightUnary, maxInFlightPipeline, channels, more] of [
      [Laptop, 5_000, 100, 1_000, 5, {}],
      [InRegion.Default, 1_100, 50, 2_500, 2, {}],
      [InRegion.LowLatency, 500, 2, 600, 2, {}],
      [Lambda, 1_100, 50, 2_500, 1, { eagerConnect: true, keepaliveIntervalMs: "off" }],
    ] as const)
      assert.deepEqual(v1(), { ...common, requestTimeoutMs, maxInFlightUnary, maxInFlightPipeline, channels, ...more });
  });

  test("CONFIG-4: withSettings returns a frozen, independent copy", () => {
    const original = Configurations.Laptop.v1();
    const headers = { "x-tenant": "seven" };
    const copy = withSettings(original, { requestTimeoutMs: 42, headers });
    assert.deepEqual({ ...copy, requestTimeoutMs: original.requestTimeoutMs, headers: {} }, original);
    headers["x-tenant"] = "eight";
    assert.deepEqual(copy.headers, { "x-tenant": "seven" });
    for (const made of [original, copy, original.headers, copy.headers]) assert.ok(Object.isFrozen(made));
  });

  test("CONFIG-1: error names the unknown setting", () => {
    for (const name of ["localSubchannelPool", "metadata", "requestTimeout", "maxInFlight", "__proto", "toString"])
      assert.throws(() => changed({ [name]: 1 }), new RegExp(`^TypeError: unknown setting '${name}'`));
    assert.throws(() => changed(7 as unknown as object), /^TypeError: the settings/);
  });

  const whole = (value: number) => value + 1;
  const part = (value: number) => value * (1 + Number.EPSILON);
  for (const [name, least, most, next] of [
    ["requestTimeoutMs", 1, 3_600_000, part],
    ["maxInFlightUnary", 1, 100_000, whole],
    ["maxInFlightPipeline", 1, 100_000, whole],
    ["adaptiveTargetMs", 0.1, 5_000, part],
    ["queueLimit", 0, 1_000_000, whole],
    ["channels", 0, 100, whole],
    ["maxRetries", 0, 10, whole],
    ["retryBudget", 0, 1, part],
    ["initialBackOffMs", 1, 10_000, part],
    ["maxBackOffMs", 80, 60_000, part],
    ["connectTimeoutMs", 1, 60_000, part],
    ["keepaliveIntervalMs", 1_000, 3_600_000, part],
    ["keepaliveTimeoutMs", 1_000, 60_000, part],
  ] as const)
    test(`CONFIG-2: ${name} accepts ${least} to ${most}`, () => {
      const others = {
        adaptiveTargetMs: "off",
        ...(name === "initialBackOffMs" ? { maxBackOffMs: 60_000 } : {}),
      } as const;
      for (const value of [least, most])
        assert.equal(changed({ ...others, [name]: value })[name], value, `${value} is in the range`);
      const below = next === whole ? least - 1 : least === 0 ? -Number.MIN_VALUE : least * (1 - Number.EPSILON);
      for (const value of [below, least / 10 - 1, next(most), most * 10, Number.NaN, Number.POSITIVE_INFINITY])
        assert.throws(() => changed({ ...others, [name]: value }), new RegExp(`^RangeError: ${name} `), String(value));
      if (next === whole)
        assert.throws(() => changed({ [name]: most - 0.5 }), new RegExp(`^RangeError: ${name} must be an integer`));
      for (const value of [
        String(most),
        BigInt(Math.round(most)),
        null,
        undefined,
        true,
        [most],
        {},
        "Off",
        Object.create(null),
      ])
        assert.throws(() => changed({ ...others, [name]: value }), new RegExp(`^TypeError: ${name} `));
    });

  test("CONFIG-2: only the five optional settings accept off", () => {
    const mayBeOff = [
      "maxInFlightUnary",
      "maxInFlightPipeline",
      "adaptiveTargetMs",
      "keepaliveIntervalMs",
      "nearCache",
    ] as const;
    for (const name of mayBeOff) assert.equal(changed({ [name]: "off" })[name], "off");
    for (const name of Object.keys(Configurations.Laptop.v1()))
      if (!(mayBeOff as readonly string[]).includes(name))
        assert.throws(() => changed({ [name]: "off" }), new RegExp(`Error: ${name} `));
  });

  test("CONFIG-2: validates transport, eagerConnect and headers", () => {
    for (const transport of ["auto", "unary", "pipeline"] as const)
      assert.equal(changed({ transport }).transport, transport);
    for (const transport of ["", "Auto", "tcp", 1, null, undefined, ["auto"]])
      assert.throws(() => changed({ transport }), /^RangeError: transport /);
    for (const eagerConnect of [true, false]) assert.equal(changed({ eagerConnect }).eagerConnect, eagerConnect);
    for (const eagerConnect of ["yes", 1, 0, null, undefined])
      assert.throws(() => changed({ eagerConnect }), /^TypeError: eagerConnect /);
    const headers = { "x-a.b_c-0": " !~", empty: "" };
    assert.deepEqual(changed({ headers }).headers, headers);
    for (const [name, value] of [
      ["Name", "x"],
      ["naïve", "x"],
      ["a b", "x"],
      ["", "x"],
      [":path", "x"],
      ["x-bin", "x"],
      ["grpc-timeout", "1S"],
      ["te", "gzip"],
      ["agent", "mine"],
      ["runtime-version", "1"],
      ["user-agent", "mine"],
      ["authorization", "token"],
      ["cache", "other"],
      ["name", "naïve"],
      ["name", "line\nbreak"],
      ["name", 7],
      ["name", undefined],
    ])
      assert.throws(() => changed({ headers: { [name as string]: value } }), /^(Type|Range)Error: headers[: ]/);
    for (const value of [undefined, null, 7, "x", [], new Map(), new Date(), () => {}])
      assert.throws(() => changed({ headers: value }), /^TypeError: headers[: ]/);
  });

  test("AUTH-5: printed credentials do not contain the token", () => {
    const provider = CredentialProvider.fromString("https://s3cret@cache.example:443");
    assert.doesNotMatch(JSON.stringify(provider) + String(provider), /s3cret/);
  });

  test("rejects an endpoint without a port", () => {
    assert.throws(() => CredentialProvider.local("localhost"), RangeError);
  });

  test("client version matches package.json", () => {
    const manifest = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
    assert.equal(version, manifest.version);
  });
});
