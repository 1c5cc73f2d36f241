// Tests Express applications over HTTP. Their sessions are stored in a real server.
import assert from "node:assert/strict";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, test } from "node:test";
import express, { type NextFunction, type Request, type Response } from "express";
import session from "express-session";
import { CacheClient, Configurations, CredentialProvider } from "../../src/index.js";
import { LarderStore } from "../../src/integrations/express-session.js";
import { type ServerProcess, skipWithoutServer, startServer } from "../support/server-process.js";

declare module "express-session" {
  interface SessionData {
    views?: number;
  }
}

describe("express-session over LarderStore", { skip: skipWithoutServer }, () => {
  const endings: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end();
  });

  const clientOf = (larder: ServerProcess) =>
    new CacheClient({
      credentials: CredentialProvider.local(larder.endpoint),
      configuration: Configurations.Laptop.latest(),
      defaultTtlMs: 60_000,
    });

  /** Starts an application with its own client. Two applications have only the cache in common. */
  async function startProgram(larder: ServerProcess, cookie: session.CookieOptions = {}): Promise<string> {
    const client = clientOf(larder);
    const app = express();
    app.use(
      session({
        store: new LarderStore({ client, cacheName: "cache" }),
        secret: "a test's own",
        resave: false,
        saveUninitialized: false,
        cookie,
      }),
    );
    app.get("/", (req, res) => {
      req.session.views = (req.session.views ?? 0) + 1;
      res.send(`${req.session.views}`);
    });
    app.get("/read", (req, res) => void res.send(`${req.session.views ?? 0}`));
    app.get("/renew", (req, res, next) =>
      req.session.regenerate((error) => (error ? next(error) : res.send(`${req.session.views ?? 0}`))),
    );
    app.get("/leave", (req, res, next) => req.session.destroy((error) => (error ? next(error) : res.send("left"))));
    app.use((error: Error & { code?: string }, _req: Request, res: Response, _next: NextFunction) => {
      res.status(503).send(error.code);
    });
    const http = await new Promise<Server>((resolve) => {
      const listening = app.listen(0, "127.0.0.1", () => resolve(listening));
    });
    endings.push(() => {
      http.close();
      http.closeAllConnections();
      return client.close();
    });
    return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  }

  async function startLarder(): Promise<ServerProcess> {
    const larder = await startServer();
    endings.push(() => larder.stop());
    return larder;
  }

  /** Returns a browser that stores one cookie. */
  function browser() {
    let cookie = "";
    return async (url: string) => {
      const response = await fetch(url, { headers: { cookie } });
      cookie = response.headers.get("set-cookie")?.split(";")[0] ?? cookie;
      return { status: response.status, text: await response.text() };
    };
  }

  test("two programs share each browser's session", async () => {
    const larder = await startLarder();
    const programs = [await startProgram(larder), await startProgram(larder)] as const;
    const [ann, bo] = [browser(), browser()];
    assert.equal((await ann(`${programs[0]}/`)).text, "1");
    assert.equal((await ann(`${programs[1]}/`)).text, "2");
    assert.equal((await bo(`${programs[0]}/`)).text, "1");
    assert.equal((await ann(`${programs[0]}/read`)).text, "2");
  });

  test("destroyed or regenerated session no longer exists", async () => {
    const program = await startProgram(await startLarder(), { maxAge: 60_000 });
    const ann = browser();
    await ann(`${program}/`);
    assert.deepEqual(await ann(`${program}/leave`), { status: 200, text: "left" });
    assert.equal((await ann(`${program}/read`)).text, "0");
    assert.equal((await ann(`${program}/`)).text, "1");
    assert.equal((await ann(`${program}/renew`)).text, "0");
    assert.equal((await ann(`${program}/read`)).text, "0");
  });

  test("reading a session extends it; an unused session expires", async () => {
    const larder = await startLarder();
    const program = await startProgram(larder, { maxAge: 600_000 });
    const client = clientOf(larder);
    const cache = client.cache("cache");
    endings.push(() => client.close());
    const ann = browser();
    await ann(`${program}/`);
    const page = await cache.scanKeys({ prefix: "sess:" });
    const key = page.result === "success" ? page.keys[0]!.key : "";

    await cache.updateTtl(key, 60_000);
    assert.equal((await ann(`${program}/read`)).text, "1");
    const answer = await cache.itemGetTtl(key);
    assert.ok(answer.result === "hit" && answer.remainingTtlMs > 60_000, answer.result);

    await cache.updateTtl(key, 1);
    while ((await cache.itemGetTtl(key)).result === "hit");
    assert.equal((await ann(`${program}/read`)).text, "0");
  });

  test("Express reports an unreachable server and then recovers", async () => {
    const larder = await startServer();
    const program = await startProgram(larder);
    const ann = browser();
    assert.equal((await ann(`${program}/`)).text, "1");
    await larder.stop();
    for (const path of ["/", "/read"]) {
      const { status, text } = await ann(program + path);
      assert.equal(status, 503);
      assert.match(text, /^(Unavailable|Timeout)$/);
    }
    const again = await startServer([], larder.port);
    endings.push(() => again.stop());
    while ((await ann(`${program}/`)).status !== 200);
    assert.equal((await ann(`${program}/read`)).text, "1", "a cache forgets; the program goes on");
  });
});
