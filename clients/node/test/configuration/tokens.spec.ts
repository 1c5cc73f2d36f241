// Tests token providers over both transports, against a server that rejects tokens on demand.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import { ErrorResponse } from "../../src/client/responses.js";
import type { Configuration } from "../../src/configuration/configuration.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import type { TokenProvider } from "../../src/configuration/token-provider.js";
import { clientOf, FakeServer, until } from "../support/fake-server.js";

async function against(
  transport: "unary" | "pipeline",
  provider: TokenProvider,
  body: (server: FakeServer, client: ReturnType<typeof clientOf>) => Promise<void>,
  requestTimeoutMs = 30_000,
  more: Partial<Configuration> = {},
): Promise<void> {
  const server = await new FakeServer().start();
  const client = clientOf(server, transport, {
    credentials: CredentialProvider.local(server.endpoint).withToken(provider),
    configuration: withSettings(Configurations.Laptop.latest(), { transport, requestTimeoutMs, ...more }),
  });
  try {
    await body(server, client);
  } finally {
    await client.close();
    await server.stop();
  }
}

function errorOf(response: unknown) {
  assert.ok(response instanceof ErrorResponse, JSON.stringify(response));
  return response.error;
}

for (const transport of ["unary", "pipeline"] as const)
  describe(`token provider, ${transport}`, () => {
    test("AUTH-30: provider is called once before the first call", async () => {
      let asked = 0;
      await against(
        transport,
        () => `token${asked++}`,
        async (server, client) => {
          await client.connect();
          for (let i = 0; i < 5; i++) assert.equal((await client.cache("cache").set("key", "value")).result, "success");
          assert.equal(asked, 1);
          assert.ok(
            server.headers.every(({ authorization, ":path": path }) => authorization === "token0" || path === "/"),
          );
        },
      );
    });

    test("AUTH-31: 300 calls with an expired token refresh it once", async () => {
      let good = "token0";
      let asked = 0;
      await against(
        transport,
        async () => {
          asked++;
          return good;
        },
        async (server, client) => {
          const cache = client.cache("cache");
          server.refuses = (token) => token !== good;
          assert.equal((await cache.increment("n", 1)).result, "success");
          good = "token1";
          const answers = await Promise.all(Array.from({ length: 300 }, () => cache.increment("n", 1)));
          assert.deepEqual(
            answers.filter(({ result }) => result === "error"),
            [],
          );
          assert.equal(asked, 2);
          assert.equal(server.calls.filter((rpc) => rpc === "Increment").length, 301);
          const last = await cache.get("n");
          assert.ok(last.result === "hit" && last.value === "301");
        },
      );
    });

    test("AUTH-31: permanent rejection fails calls and throttles the provider", async () => {
      let asked = 0;
      await against(
        transport,
        () => `token${asked++}`,
        async (server, client) => {
          server.refuses = () => true;
          const beganAt = performance.now();
          for (let i = 0; i < 50; i++) {
            const { code, message } = errorOf(await client.cache("cache").get("key"));
            assert.equal(code, "Unauthenticated");
            assert.match(message, /unknown token/);
            assert.doesNotMatch(message, /token\d/);
          }
          assert.ok(asked <= 2 + (performance.now() - beganAt) / 1_000, `asked ${asked} times`);
        },
        30_000,
        { initialBackOffMs: 1, maxBackOffMs: 10 },
      );
    });

    test("AUTH-31: call is not retried with an unchanged token", async () => {
      await against(
        transport,
        () => "same",
        async (server, client) => {
          server.refuses = () => true;
          assert.equal(errorOf(await client.cache("cache").get("key")).code, "Unauthenticated");
          const sent = server.headers.length;
          assert.ok(sent <= 2, `${sent} sent`);
        },
      );
    });

    test("AUTH-31: calls complete when every second request is rejected", async () => {
      let asked = 0;
      let calls = 0;
      await against(
        transport,
        () => `token${asked++}`,
        async (server, client) => {
          server.refuses = () => calls++ % 2 === 1;
          for (let i = 0; i < 20; i++) {
            const response = await client.cache("cache").get("key");
            if (response.result === "error") assert.equal(response.error.code, "Unauthenticated");
          }
          assert.ok(asked < 20);
        },
      );
    });

    test("AUTH-33: error message omits the text of the provider's exception", async () => {
      const thrown = new TypeError("sesame");
      await against(
        transport,
        () => {
          throw thrown;
        },
        async (server, client) => {
          const error = errorOf(await client.cache("cache").set("key", "value"));
          assert.equal(error.code, "Unauthenticated");
          assert.equal(error.cause, thrown);
          assert.match(error.message, /the token provider threw TypeError/);
          assert.doesNotMatch(error.message, /sesame/);
          assert.equal(server.headers.length, 0);
        },
      );
    });

    test("AUTH-33: error names both rejection and provider failure", async () => {
      let answers: (() => string)[] = [];
      await against(
        transport,
        () => answers.shift()!(),
        async (server, client) => {
          const cache = client.cache("cache");
          answers = [() => "token0", () => 7 as unknown as string, () => "token2"];
          let good = "token0";
          server.refuses = (token) => token !== good;
          assert.equal((await cache.set("key", "value")).result, "success");
          good = "token2";
          const { code, message } = errorOf(await cache.get("key"));
          assert.equal(code, "Unauthenticated");
          assert.match(message, /unknown token; the token provider must return a string, not a value of type number/);
          while ((await cache.get("key")).result !== "hit");
        },
      );
    });

    test("AUTH-32: call times out if the provider is silent", async () => {
      let signal: AbortSignal | undefined;
      await against(
        transport,
        (options) => {
          signal = options.signal;
          return new Promise(() => {});
        },
        async (_, client) => {
          const cache = client.cache("cache");
          const { code, message } = errorOf(await cache.get("key", { timeoutMs: 50 }));
          assert.equal(code, "Timeout");
          assert.match(message, /before the token provider returned/);
          const waiting = cache.get("key");
          await client.close();
          assert.equal(errorOf(await waiting).code, "Cancelled");
          assert.ok(signal?.aborted);
        },
      );
    });

    test("AUTH-32: token received after close is ignored", async () => {
      let answer: ((token: string) => void) | undefined;
      await against(
        transport,
        () =>
          new Promise((resolve) => {
            answer = resolve;
          }),
        async (server, client) => {
          const waiting = client.cache("cache").get("key");
          await until(() => answer !== undefined);
          await client.close();
          answer!("late");
          assert.equal(errorOf(await waiting).code, "Cancelled");
          assert.equal(server.headers.length, 0);
        },
      );
    });

    test("AUTH-33: connect rejects with the provider's failure", async () => {
      await against(
        transport,
        () => "",
        async (_, client) => {
          await assert.rejects(client.connect(), /the token provider returned an empty token/);
        },
      );
    });
  });

describe("credentials with a token provider", () => {
  test("A1: printed credentials hide the provider's token", () => {
    const credentials = CredentialProvider.local().withToken(() => "sesame");
    assert.ok(!inspect(credentials, { showHidden: true, depth: 5 }).includes("sesame"));
    assert.equal(credentials.withToken("").tokenProvider(), undefined);
    assert.throws(() => CredentialProvider.local().withToken(7 as never), /a string or a function/);
    assert.throws(() => CredentialProvider.local().withToken("a\nb"), /must be printable ASCII/);
  });

  test("all gateways share one provider", () => {
    const provider = () => "sesame";
    const credentials = CredentialProvider.fromString("http://a@one,http://b@two").withToken(provider);
    assert.deepEqual(
      credentials.gateways().map((gateway) => gateway.tokenProvider()),
      [provider, provider],
    );
    assert.deepEqual(
      credentials.gateways().map((gateway) => gateway.token()),
      [undefined, undefined],
    );
  });
});
