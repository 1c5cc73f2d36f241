// Provides a server, a client and assertions on responses for the tests of the SDK's collections.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import * as momento from "@gomomento/sdk";
import { ServerProcess } from "./server-process.mjs";

// This timeout is long, so that a slow response of a loaded machine does not fail a test.
const configuration = momento.Configurations.Laptop.v1().withClientTimeoutMillis(30_000);
let keyNumber = 0;

export const cache = "cache";
export const newKey = () => `key-${process.pid}-${keyNumber++}`;

/** Starts a server and a client before the tests of a file. `use.client` is set when the tests run. */
export function useServer() {
  const use = { client: null };
  let server = null;
  before(async () => {
    server = await ServerProcess.start();
    use.client = await momento.CacheClient.create({
      configuration,
      credentialProvider: momento.CredentialProvider.forMomentoLocal({ hostname: "127.0.0.1", port: server.port }),
      defaultTtlSeconds: 60,
      eagerConnectTimeout: 30,
    });
  });
  after(async () => {
    use.client?.close();
    await server?.stop();
  });
  return use;
}

export function isA(type, response) {
  assert.ok(response instanceof type, `expected ${type.name}, got ${response.toString()}`);
  return response;
}

/** Asserts that a response contains an SDK exception of the given class. Returns the exception. */
export function failsWith(errorType, responseType, response) {
  isA(responseType, response);
  const error = response.innerException();
  assert.ok(error instanceof errorType, `expected ${errorType.name}, got ${error.constructor.name}: ${error.message}`);
  return error;
}
