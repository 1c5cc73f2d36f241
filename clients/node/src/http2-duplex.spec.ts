import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, test } from "node:test";
import { type Configuration, withSettings } from "./configuration.js";
import { Configurations } from "./configurations.js";
import { CredentialProvider } from "./credential-provider.js";
import { Http2Duplex } from "./http2-duplex.js";

/** How a connection to `text` ends. */
function endOf(text: string, changes: Partial<Configuration> = {}): Promise<string> {
  const settings = withSettings(Configurations.Laptop.latest(), changes);
  return new Promise((resolve) => {
    new Http2Duplex(CredentialProvider.fromString(text), "/path", {}, settings, {
      opened: () => {},
      data: () => {},
      ended: (failure) => resolve(failure.message),
    });
  });
}

describe("a connection that cannot be made", () => {
  test("a server that takes it and says nothing is given up after connectTimeoutMs", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    assert.match(await endOf(`http://127.0.0.1:${port}`, { connectTimeoutMs: 20 }), /no connection in 20 ms/);
    server.close();
  });

  test("says so, and not that it was lost; TLS where the server has none asks about that", async () => {
    // It hangs up on what it does not understand, as a server without TLS does.
    const server = createServer((socket) => socket.once("data", () => socket.destroy())).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    assert.match(
      await endOf(`https://127.0.0.1:${port}`),
      /^no connection could be made: .*does the server speak TLS\?/,
    );
    server.close();
    await once(server, "close");
    const refused = await endOf(`https://127.0.0.1:${port}`);
    assert.match(refused, /^no connection could be made: connect ECONNREFUSED/);
    assert.doesNotMatch(refused, /TLS/);
  });
});
