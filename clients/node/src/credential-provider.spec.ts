import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import { CredentialProvider } from "./credential-provider.js";

describe("CredentialProvider", () => {
  test("a text has scheme, token, host and port; the port is 8080 where none is given", () => {
    const whole = CredentialProvider.fromString("https://sesame@cache.example:8443");
    assert.deepEqual([whole.endpoint, whole.tls, whole.token()], ["cache.example:8443", true, "sesame"]);
    const least = CredentialProvider.fromString("http://127.0.0.1");
    assert.deepEqual([least.endpoint, least.tls, least.token()], ["127.0.0.1:8080", false, undefined]);
    assert.equal(CredentialProvider.fromString("larders://open%40sesame@[::1]:1").token(), "open@sesame");
  });

  test("anything else is refused, without the token in the message", () => {
    for (const text of ["", "sesame@host:1", "ftp://sesame@host", "https://sesame@", "https://sesame@host:99999"])
      assert.throws(
        () => CredentialProvider.fromString(text),
        (error: Error) => error instanceof RangeError && !error.message.includes("sesame"),
      );
  });

  test("the environment variable is LARDER_URL, unless another is named", () => {
    process.env.LARDER_TEST_URL = "http://there:9000";
    assert.equal(CredentialProvider.fromEnvironmentVariable("LARDER_TEST_URL").endpoint, "there:9000");
    delete process.env.LARDER_TEST_URL;
    assert.throws(() => CredentialProvider.fromEnvironmentVariable("LARDER_TEST_URL"), /LARDER_TEST_URL is not set/);
  });

  test("A1: the token is in nothing that is printed", () => {
    const credentials = CredentialProvider.fromString("https://sesame@cache.example");
    assert.ok(!inspect(credentials, { showHidden: true, depth: 5 }).includes("sesame"));
    assert.ok(!JSON.stringify(credentials).includes("sesame"));
  });
});
