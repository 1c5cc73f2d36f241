// Runs the unmodified public SDK against the server program. Its AuthClient requests disposable tokens, and its
// CacheClient uses them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import * as momento from "@gomomento/sdk";
import { cache, failsWith, isA } from "./sdk-client.mjs";
import { findServerProgram, ServerProcess } from "./server-process.mjs";

const {
  AllCaches,
  AllDataReadWrite,
  AuthClient,
  AuthenticationError,
  CacheClient,
  CacheGet,
  CacheGetBatch,
  CacheIncrement,
  CacheRole,
  CacheSet,
  Configurations,
  CredentialProvider,
  DisposableTokenScopes,
  ExpiresIn,
  GenerateDisposableToken,
  InvalidArgumentError,
  PermissionError,
  TopicClient,
  TopicConfigurations,
  TopicPublish,
  TopicRole,
  TopicSubscribe,
} = momento;

const configuration = Configurations.Laptop.v1().withClientTimeoutMillis(30_000);
const secrets = { web: "the-secret-of-web", all: "the-secret-of-all", reader: "the-secret-of-reader" };
const clients = [];
let folder;
let server;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "larder-disposable-"));
  const entry = (id, role, grant) => ({
    id,
    sha256: [createHash("sha256").update(secrets[id]).digest("hex")],
    grants: [{ role, cache, topics: "read", ...grant }],
  });
  const tokens = join(folder, "tokens.json");
  const entries = [entry("web", "readwrite"), entry("all", "readwrite", { cache: "*", topics: "readwrite" }), entry("reader", "read")];
  writeFileSync(tokens, JSON.stringify({ tokens: entries }), { mode: 0o600 });
  const key = join(folder, "key");
  const program = findServerProgram();
  const [command, first] = program.endsWith(".dll") ? ["dotnet", [program]] : [program, []];
  execFileSync(command, [...first, "token", "key", key], { stdio: "ignore" });
  server = await ServerProcess.start("--tokens", tokens, "--token-key", key);
});

after(async () => {
  for (const client of clients) client.close?.();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Returns the SDK's credentials for a token: the base64 encoding of {endpoint, api_key}. Endpoints are local addresses
 * instead of DNS names.
 */
function credentials(sdkToken) {
  const here = `127.0.0.1:${server.port}`;
  const endpointOverrides = { cacheEndpoint: here, controlEndpoint: here, tokenEndpoint: here, secureConnection: false };
  return CredentialProvider.fromDisposableToken({ apiKey: sdkToken, endpointOverrides });
}

const wrapped = (secret) => Buffer.from(JSON.stringify({ endpoint: "localhost", api_key: secret })).toString("base64");
const authOf = (id) => new AuthClient({ credentialProvider: credentials(wrapped(secrets[id])) });

async function clientOf(sdkToken) {
  const client = await CacheClient.create({ configuration, credentialProvider: credentials(sdkToken), defaultTtlSeconds: 60, eagerConnectTimeout: 0 });
  clients.push(client);
  return client;
}

async function given(id, scope, seconds = 600) {
  const response = isA(GenerateDisposableToken.Success, await authOf(id).generateDisposableToken(scope, ExpiresIn.seconds(seconds)));
  return { client: await clientOf(response.authToken), response };
}

test("a cache token reads and writes its own cache only", async () => {
  const { client, response } = await given("web", DisposableTokenScopes.cacheReadWrite(cache));
  assert.ok(response.endpoint.endsWith(`:${server.port}`));
  const left = response.expiresAt.epoch() - Date.now() / 1000;
  assert.ok(left > 0 && left <= 601, `${left} s left`);
  isA(CacheSet.Success, await client.set(cache, "all", "1"));
  assert.equal(isA(CacheGet.Hit, await client.get(cache, "all")).valueString(), "1");
  isA(CacheIncrement.Success, await client.increment(cache, "all", 1));
  failsWith(PermissionError, CacheGet.Error, await client.get("other", "all"));
});

test("AllDataReadWrite token reads and writes", async () => {
  const { client } = await given("all", AllDataReadWrite);
  isA(CacheSet.Success, await client.set(cache, "wide", "1"));
  isA(CacheGet.Hit, await client.get(cache, "wide"));
});

test("a message carries the id of its publisher's token", async () => {
  const configuration = TopicConfigurations.Default.latest();
  const topicsOf = (sdkToken) => new TopicClient({ configuration, credentialProvider: credentials(sdkToken) });
  const ids = [];
  let end;
  const told = new Promise((resolve, reject) => (end = { resolve, reject }));
  const reader = topicsOf(wrapped(secrets.all));
  const subscription = isA(
    TopicSubscribe.Subscription,
    await reader.subscribe(cache, "publishers", {
      onItem: (item) => {
        ids.push(item.tokenId());
        if (ids.length === 3) end.resolve();
      },
      onError: (error) => end.reject(new Error(error.toString())),
    }),
  );
  const scope = DisposableTokenScopes.topicPublishOnly(cache, "publishers");
  const auth = authOf("all");
  for (const options of [undefined, { tokenId: "seven" }]) {
    const { authToken } = isA(GenerateDisposableToken.Success, await auth.generateDisposableToken(scope, ExpiresIn.minutes(1), options));
    isA(TopicPublish.Success, await topicsOf(authToken).publish(cache, "publishers", "v"));
  }
  isA(TopicPublish.Success, await reader.publish(cache, "publishers", "v"));
  await told;
  subscription.unsubscribe();
  assert.deepEqual(ids.map((id) => id ?? ""), ["", "seven", "all"]);
});

test("read-only and write-only tokens allow only their own operation", async () => {
  const { client: writer } = await given("web", DisposableTokenScopes.cacheWriteOnly(cache));
  isA(CacheSet.Success, await writer.set(cache, "read-only", "1"));
  failsWith(PermissionError, CacheGet.Error, await writer.get(cache, "read-only"));
  const { client } = await given("reader", DisposableTokenScopes.cacheReadOnly(cache));
  isA(CacheGet.Hit, await client.get(cache, "read-only"));
  failsWith(PermissionError, CacheSet.Error, await client.set(cache, "read-only", "2"));
  failsWith(PermissionError, CacheIncrement.Error, await client.increment(cache, "read-only", 1));
});

test("key and prefix tokens allow only their own keys", async () => {
  const { client: one } = await given("web", DisposableTokenScopes.cacheKeyReadWrite(cache, "one"));
  isA(CacheSet.Success, await one.set(cache, "one", "1"));
  isA(CacheGet.Hit, await one.get(cache, "one"));
  failsWith(PermissionError, CacheGet.Error, await one.get(cache, "one-more"));
  const { client: some } = await given("web", DisposableTokenScopes.cacheKeyPrefixReadOnly(cache, "on"));
  isA(CacheGet.Hit, await some.get(cache, "one"));
  isA(CacheGet.Miss, await some.get(cache, "only"));
  failsWith(PermissionError, CacheGet.Error, await some.get(cache, "two"));
  failsWith(PermissionError, CacheSet.Error, await some.set(cache, "one", "2"));
  failsWith(PermissionError, CacheGetBatch.Error, await some.getBatch(cache, ["one", "two"]));
});

test("a token combines several permissions", async () => {
  const { client } = await given("web", {
    permissions: [
      { role: CacheRole.ReadOnly, cache, item: { keyPrefix: "r:" } },
      { role: CacheRole.WriteOnly, cache, item: { keyPrefix: "w:" } },
    ],
  });
  isA(CacheGet.Miss, await client.get(cache, "r:1"));
  isA(CacheSet.Success, await client.set(cache, "w:1", "1"));
  failsWith(PermissionError, CacheSet.Error, await client.set(cache, "r:1", "1"));
  failsWith(PermissionError, CacheGet.Error, await client.get(cache, "w:1"));
});

test("a token cannot exceed its issuer's rights", async () => {
  const beyond = [
    ["reader", DisposableTokenScopes.cacheReadWrite(cache)],
    ["reader", DisposableTokenScopes.cacheKeyWriteOnly(cache, "k")],
    ["web", DisposableTokenScopes.cacheReadOnly(AllCaches)],
    ["web", DisposableTokenScopes.cacheReadOnly("other")],
    ["web", DisposableTokenScopes.topicPublishOnly(cache, "t")],
    ["web", { permissions: [{ role: TopicRole.PublishSubscribe, cache, topic: "t" }] }],
  ];
  for (const [id, scope] of beyond) {
    const response = await authOf(id).generateDisposableToken(scope, ExpiresIn.minutes(1));
    failsWith(PermissionError, GenerateDisposableToken.Error, response);
  }
  isA(
    GenerateDisposableToken.Success,
    await authOf("web").generateDisposableToken(DisposableTokenScopes.topicSubscribeOnly(cache, "t"), ExpiresIn.minutes(1)),
  );
});

test("rejects invalid expiry, token id or permissions", async () => {
  const scope = DisposableTokenScopes.cacheReadOnly(cache);
  const web = authOf("web");
  const wrong = [
    [scope, ExpiresIn.seconds(0)],
    [scope, ExpiresIn.seconds(86_401)],
    [scope, ExpiresIn.never()],
    [{ permissions: [] }, ExpiresIn.minutes(1)],
  ];
  for (const [asked, expires] of wrong) {
    failsWith(InvalidArgumentError, GenerateDisposableToken.Error, await web.generateDisposableToken(asked, expires));
  }
  isA(GenerateDisposableToken.Success, await web.generateDisposableToken(scope, ExpiresIn.hours(24), { tokenId: "x".repeat(64) }));
  failsWith(
    InvalidArgumentError,
    GenerateDisposableToken.Error,
    await web.generateDisposableToken(scope, ExpiresIn.hours(1), { tokenId: "x".repeat(65) }),
  );
});

test("an unknown caller or a disposable token cannot issue tokens", async () => {
  const nobody = new AuthClient({ credentialProvider: credentials(wrapped("a-wrong-secret")) });
  const scope = DisposableTokenScopes.cacheReadOnly(cache);
  failsWith(AuthenticationError, GenerateDisposableToken.Error, await nobody.generateDisposableToken(scope, ExpiresIn.minutes(1)));
  const { response } = await given("web", DisposableTokenScopes.cacheReadWrite(cache));
  const again = new AuthClient({ credentialProvider: credentials(response.authToken) });
  failsWith(PermissionError, GenerateDisposableToken.Error, await again.generateDisposableToken(scope, ExpiresIn.minutes(1)));
});

test("rejects an expired or altered token", async () => {
  const { client, response } = await given("web", DisposableTokenScopes.cacheReadWrite(cache), 1);
  let answer;
  do {
    answer = await client.get(cache, "ended");
  } while (!(answer instanceof CacheGet.Error));
  failsWith(AuthenticationError, CacheGet.Error, answer);
  const said = JSON.parse(Buffer.from(response.authToken, "base64").toString());
  const place = Math.floor(said.api_key.length / 2);
  const other = said.api_key[place] === "A" ? "B" : "A";
  const changed = said.api_key.slice(0, place) + other + said.api_key.slice(place + 1);
  const forged = await clientOf(wrapped(changed));
  failsWith(AuthenticationError, CacheGet.Error, await forged.get(cache, "ended"));
});
