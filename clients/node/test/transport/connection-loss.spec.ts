import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { after, test } from "node:test";
import { CacheClient, Configurations, CredentialProvider, withSettings } from "../../src/index.js";
import {
  connectionLossMessage,
  isPermanent,
  WrongProtocolError,
  wrongProtocol,
} from "../../src/transport/connection-loss.js";

const alert = Buffer.from([0x15, 3, 1, 0, 2, 2, 70]);
const http1 = Buffer.from("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
// The frame that a server sends if it receives the HTTP/2 preface but supports only HTTP/1.1.
const goaway = Buffer.from([0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 13]);
const needsTls = "the port requires TLS; use an https:// address";
const console1 = "the port uses HTTP/1 and may be the console port; use the data port";
const withoutTls = "the port does not use TLS; use an http:// address or the TLS port";

const servers: Server[] = [];
after(() => {
  for (const server of servers) server.close();
});

/**
 * Starts a server that answers any input with these bytes and then closes the connection. It counts its connections.
 */
async function answering(bytes: Buffer): Promise<{ port: number; readonly count: number }> {
  let count = 0;
  const server = createServer((socket) => {
    count++;
    socket.on("error", () => {}).once("data", () => socket.end(bytes));
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    get count() {
      return count;
    },
  };
}

for (const transport of ["pipeline", "unary"] as const)
  for (const [scheme, answer, reason] of [
    ["http", alert, needsTls],
    ["http", http1, console1],
    ["http", goaway, console1],
    ["https", http1, withoutTls],
  ] as const)
    test(`RETRY-9: ${transport} over ${scheme} fails immediately: ${reason}`, async () => {
      const server = await answering(answer);
      const client = new CacheClient({
        credentials: CredentialProvider.fromString(`${scheme}://127.0.0.1:${server.port}`),
        configuration: withSettings(Configurations.Laptop.latest(), { transport, channels: 1, maxInFlightUnary: 10 }),
        defaultTtlMs: 60_000,
      });
      const got = await client.cache("cache").get("k");
      assert.equal(got.result, "error");
      assert.equal(got.result === "error" && got.error.code, "Unavailable");
      assert.ok(got.result === "error" && got.error.message.includes(reason), String(got));
      // The call made only one attempt, so it did not wait for the server to recover.
      assert.equal(server.count, 1);
      await client.close();
    });

test("valid HTTP/2 frames are not reported as the wrong protocol", () => {
  for (const first of ["000012040000000000", "15", "00", ""])
    assert.equal(wrongProtocol(Buffer.from(first, "hex")), null);
  // The first frame is a GOAWAY whose code is not HTTP_1_1_REQUIRED. The second is a truncated GOAWAY.
  assert.equal(wrongProtocol(Buffer.from([...goaway.subarray(0, 16), 0])), null);
  assert.equal(wrongProtocol(goaway.subarray(0, 16)), null);
});

test("TLS and protocol failures are permanent; network failures are not", () => {
  const coded = (code: string): Error => Object.assign(new Error("failed"), { code });
  for (const code of ["CERT_HAS_EXPIRED", "DEPTH_ZERO_SELF_SIGNED_CERT", "ERR_TLS_CERT_ALTNAME_INVALID", "EPROTO"])
    assert.equal(isPermanent(coded(code)), true, code);
  assert.equal(isPermanent(new WrongProtocolError("TLS")), true);
  for (const code of ["ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "ENOTFOUND"])
    assert.equal(isPermanent(coded(code)), false);
  for (const other of [null, undefined, "text", new Error("without a code")]) assert.equal(isPermanent(other), false);
});

test("loss message suggests a cause for refused and closed connections", () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" });
  const plain = CredentialProvider.local("127.0.0.1:1");
  assert.equal(
    connectionLossMessage(plain, { connected: false, opened: false }, refused),
    "cannot connect: connect ECONNREFUSED 127.0.0.1:1: no server is listening on this address; start it, or check host and port",
  );
  assert.match(connectionLossMessage(plain, { connected: true, opened: false }, null), /if the port requires TLS/);
  assert.equal(connectionLossMessage(plain, { connected: true, opened: true }, null), "the connection was closed");
});
