import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";

describe("CredentialProvider", () => {
  test("fromString parses scheme, token, host and port", () => {
    const whole = CredentialProvider.fromString("https://sesame@cache.example:8443");
    assert.deepEqual([whole.endpoint, whole.tls, whole.token()], ["cache.example:8443", true, "sesame"]);
    const least = CredentialProvider.fromString("http://127.0.0.1");
    assert.deepEqual([least.endpoint, least.tls, least.token()], ["127.0.0.1:8080", false, undefined]);
    assert.equal(CredentialProvider.fromString("https://open%40sesame@[::1]:1").token(), "open@sesame");
    assert.equal(CredentialProvider.fromString("https://100%@there").token(), "100%");
  });

  test("larder and larders schemes equal http and https", () => {
    for (const [text, tls] of [
      ["Larder://sesame@there:19000/", false],
      ["larders://sesame@there:19000", true],
    ] as const) {
      const read = CredentialProvider.fromString(text);
      assert.deepEqual([read.endpoint, read.tls, read.token()], ["there:19000", tls, "sesame"]);
    }
  });

  test("error for an invalid URL hides its token", () => {
    for (const [text, named] of [
      ["", "has no ://"],
      ["sesame", "has no ://"],
      ["sesame@host:1", "has no ://"],
      ["sesame@http://host:1", "'…@http://host:1'"],
      ["ftp://sesame@host", "'ftp://…@host'"],
      ["constructor://host", "the scheme must be http, https, larder or larders"],
      ["https://sesame@", "the host is missing"],
      ["https://sesame@host:99999", "the port must be from 1 to 65535, not 99999"],
      ["http://host:0", "the port must be"],
      ["http://host:port", "'http://host:port'"],
      ["http://::1:80", "'http://::1:80'"],
      ["http://sesame@host:1/path", "'http://…@host:1/path'"],
      ["http://host?token=sesame", "'http://host?…'"],
      ["http://open/sesame@host", "in a token, write / as %2F"],
    ] as const)
      assert.throws(
        () => CredentialProvider.fromString(text),
        (error: Error) =>
          error instanceof RangeError && error.message.includes(named) && !error.message.includes("sesame"),
        text,
      );
    assert.throws(() => CredentialProvider.local("http://sesame@host:1"), /host:port, not 'http:\/\/…@host:1'/);
  });

  test("fromEnvironmentVariable reads the named variable", () => {
    process.env.LARDER_TEST_URL = "http://there:9000";
    assert.equal(CredentialProvider.fromEnvironmentVariable("LARDER_TEST_URL").endpoint, "there:9000");
    delete process.env.LARDER_TEST_URL;
    assert.throws(() => CredentialProvider.fromEnvironmentVariable("LARDER_TEST_URL"), /LARDER_TEST_URL is not set/);
    process.env.LARDER_TEST_URL = "http://sesame@there/path";
    assert.throws(
      () => CredentialProvider.fromEnvironmentVariable("LARDER_TEST_URL"),
      /LARDER_TEST_URL is invalid: invalid server address 'http:\/\/…@there\/path'/,
    );
    delete process.env.LARDER_TEST_URL;
  });

  test("A1: printed credentials do not contain the token", () => {
    const credentials = CredentialProvider.fromString("https://sesame@cache.example");
    assert.ok(!inspect(credentials, { showHidden: true, depth: 5 }).includes("sesame"));
    assert.ok(!JSON.stringify(credentials).includes("sesame"));
  });
});
