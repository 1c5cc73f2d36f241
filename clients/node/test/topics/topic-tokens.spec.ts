// Tests subscriptions with a token provider.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CacheClient } from "../../src/client/client.js";
import type { Configuration } from "../../src/configuration/configuration.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import type { TokenProvider } from "../../src/configuration/token-provider.js";
import { until } from "../support/fake-server.js";
import { FakeTopics, taken, told, topicClientOf } from "../support/fake-topics.js";

async function against(
  provider: string | TokenProvider,
  body: (server: FakeTopics, client: CacheClient) => Promise<void>,
  settings: Partial<Configuration> = {},
): Promise<void> {
  const server = await new FakeTopics().start();
  const credentials = CredentialProvider.local(server.endpoint).withToken(provider);
  const client = topicClientOf(server, settings, { credentials });
  try {
    await body(server, client);
  } finally {
    await client.close();
    await server.stop();
  }
}

describe("subscription tokens", () => {
  test("error for a rejected static token suggests setting the token", async () => {
    await against("sesame", async (server, client) => {
      const cache = client.cache("cache");
      assert.ok(await cache.subscribe("topic").established());
      assert.equal(server.last.headers.authorization, "sesame");
      server.onSubscribe = (it) => it.end(16, "unknown token");
      const [event] = await taken(cache.subscribe("topic"), 1);
      assert.ok(event?.type === "error");
      assert.equal(event.error.code, "Unauthenticated");
      assert.match(event.error.message, /unknown token; set the token in the credentials/);
      assert.doesNotMatch(event.error.message, /sesame/);
    });
  });

  test("AUTH-31: expired token is refreshed and the subscription resumes", async () => {
    let asked = 0;
    await against(
      () => `token${asked++}`,
      async (server, client) => {
        let good = "token0";
        server.onSubscribe = (it) => {
          if (it.headers.authorization !== good) it.end(16, "unknown token");
          else
            it.open("7-1")
              .heartbeat()
              .item(server.open.length === 0 ? 1 : 2, 7);
        };
        const many = Array.from({ length: 50 }, () => client.cache("cache").subscribe("topic"));
        assert.ok((await Promise.all(many.map((each) => each.established()))).every(Boolean));
        assert.equal(asked, 1);
        server.onSubscribe = (it) =>
          it.headers.authorization === good ? it.open("7-3").heartbeat().item(3, 7) : it.end(16, "unknown token");
        good = "token1";
        for (const each of server.open) each.end(16, "the token has ended");
        await until(() => client.statistics().topics.reconnects === 50);
        assert.equal(asked, 2);
        assert.ok(many.every(({ ended }) => !ended));
      },
    );
  });

  test("AUTH-31: permanent rejection ends the subscription after one refresh", async () => {
    let asked = 0;
    await against(
      () => `token${asked++}`,
      async (server, client) => {
        server.onSubscribe = (it) => it.end(16, "unknown token");
        assert.deepEqual(told(await taken(client.cache("cache").subscribe("topic"), 2)), ["Unauthenticated"]);
        assert.ok(server.subscriptions.length <= 2, `${server.subscriptions.length} streams`);
        assert.ok(asked <= 2);
      },
    );
  });

  test("AUTH-33: provider's exception becomes the cause of the error", async () => {
    const thrown = new TypeError("sesame");
    await against(
      () => {
        throw thrown;
      },
      async (server, client) => {
        const [event] = await taken(client.cache("cache").subscribe("topic"), 1);
        assert.ok(event?.type === "error");
        assert.equal(event.error.code, "Unauthenticated");
        assert.equal(event.error.cause, thrown);
        assert.doesNotMatch(event.error.message, /sesame/);
        assert.equal(server.subscriptions.length, 0);
      },
    );
  });

  test("AUTH-32: silent provider fails the subscription with Timeout", async () => {
    await against(
      () => new Promise(() => {}),
      async (_, client) => {
        const cache = client.cache("cache");
        const [event] = await taken(cache.subscribe("topic"), 1);
        assert.ok(event?.type === "error");
        assert.equal(event.error.code, "Timeout");
        assert.match(event.error.message, /the token provider did not return in time/);
        const waiting = cache.subscribe("topic");
        const read = taken(waiting, 1);
        await waiting.close();
        assert.deepEqual(await read, []);
      },
      { requestTimeoutMs: 50 },
    );
  });
});
