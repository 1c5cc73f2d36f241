// Express sessions in a cache: `npm install express express-session`.
import { once } from "node:events";
import express from "express";
import session from "express-session";
import { CacheClient, Configurations } from "larder-cache";
import { LarderStore } from "larder-cache/express-session";

const client = new CacheClient({
  credentials: process.env.LARDER_URL ?? "http://127.0.0.1:8080",
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 60_000,
});
const app = express();
app.use(
  session({
    store: new LarderStore({ client, cacheName: "cache" }),
    secret: process.env.SESSION_SECRET ?? "for trying it alone",
    resave: false,
    saveUninitialized: false,
    cookie: { maxAge: 3_600_000 },
  }),
);
app.get("/", (request, response) => {
  request.session.views = (request.session.views ?? 0) + 1;
  response.send(`view ${request.session.views}`);
});
const server = app.listen(0, "127.0.0.1");
await once(server, "listening");

// Acts as a browser that keeps the cookie that it receives.
const url = `http://127.0.0.1:${server.address().port}/`;
const first = await fetch(url);
console.log(await first.text());
const second = await fetch(url, { headers: { cookie: first.headers.get("set-cookie").split(";")[0] } });
console.log(await second.text());

server.close();
server.closeAllConnections();
await client.close();
