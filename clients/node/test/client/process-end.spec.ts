import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { type ServerProcess, skipWithoutServer, startServer } from "../support/server-process.js";

const index = pathToFileURL(join(import.meta.dirname, "..", "..", "src", "index.js")).href;
// The timeout of calls. It is longer than the time limit of the test, so the program ends in time only if no timer of a
// call keeps its process alive.
const timeoutMs = 3_600_000;
const limitMs = 50_000;

const transports = ["pipelined", "unary"] as const;
let server: ServerProcess;
before(async () => {
  if (skipWithoutServer === false) server = await startServer();
});
after(() => server?.stop());

// Runs a program that uses `client` and does not exit explicitly. Returns the program's output, or null if the program
// did not end in time. `endpoint` is the address of one server, or of several servers separated by commas.
async function outputOf(transport: string, endpoint: string, body: string): Promise<string | null> {
  const program = `
    import { CacheClient, Configurations, CredentialProvider, withSettings } from ${JSON.stringify(index)};
    const transport = ${JSON.stringify(transport === "unary" ? { transport: "unary" } : {})};
    const settings = { requestTimeoutMs: ${timeoutMs}, connectTimeoutMs: 60_000, ...transport };
    const client = new CacheClient({
      credentials: CredentialProvider.fromString(${JSON.stringify(
        endpoint
          .split(",")
          .map((each) => `http://${each}`)
          .join(","),
      )}),
      configuration: withSettings(Configurations.Laptop.latest(), settings),
      defaultTtlMs: 60_000,
    });
    ${body}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const limit = setTimeout(() => child.kill("SIGKILL"), limitMs);
  const [code] = await once(child, "close");
  clearTimeout(limit);
  return code === null ? null : output.trim();
}

for (const transport of transports) {
  test(`unclosed client does not keep the process alive, ${transport}`, { skip: skipWithoutServer }, async () => {
    const body =
      'console.log((await client.cache("cache").set("a", "1")).result, (await client.cache("cache").get("a")).value);';
    assert.equal(await outputOf(transport, server.endpoint, body), "success 1");
  });

  test(`calls after close do not keep the process alive, ${transport}`, { skip: skipWithoutServer }, async () => {
    const body = `
      await client.cache("cache").set("a", "1");
      await client.close();
      const late = await Promise.all([client.cache("cache").get("a"), client.cache("cache").set("a", "2", { timeoutMs: 60_000 })]);
      console.log(...late.map(({ error }) => error.code), await client.connect().catch(({ code }) => code));`;
    assert.equal(await outputOf(transport, server.endpoint, body), "Cancelled Cancelled Cancelled");
  });

  test(`pending calls keep the process alive, ${transport}`, { skip: skipWithoutServer }, async () => {
    const body = `
      const all = await Promise.all(Array.from({ length: 200 }, (_, i) => client.cache("cache").set("k" + i, "v")));
      console.log(all.filter(({ result }) => result === "success").length);
      // These calls are not awaited. The process must not end before they have ended.
      for (let i = 0; i < 10; i++) client.cache("cache").increment("n" + ${JSON.stringify(transport)}).then(() => console.log("done"));`;
    assert.equal(await outputOf(transport, server.endpoint, body), ["200", ...Array(10).fill("done")].join("\n"));
  });

  test(`call keeps the process alive until its deadline, ${transport}`, async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as { port: number };
    const body = 'console.log((await client.cache("cache").get("a", { timeoutMs: 300 })).error.code);';
    assert.equal(await outputOf(transport, `127.0.0.1:${port}`, body), "Timeout");
    silent.close();
  });

  test(`client of an unreachable server lets the process end, ${transport}`, async () => {
    const body = 'console.log((await client.cache("cache").get("a", { timeoutMs: 300 })).result);';
    assert.equal(await outputOf(transport, "127.0.0.1:9", body), "error");
    assert.equal(await outputOf(transport, "127.0.0.1:9,127.0.0.1:10", body), "error");
  });

  test(`process stays alive until connect ends, ${transport}`, async () => {
    const body = "console.log(await client.connect(300).then(() => 0, () => 'rejected'));";
    assert.equal(await outputOf(transport, "127.0.0.1:9", body), "rejected");
  });
}
