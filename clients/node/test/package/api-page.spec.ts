// The Node snippets of docs/api.md, in order, form one program. The test compiles the program and runs it against a
// server.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { promisify } from "node:util";
import { CacheClient } from "../../src/client/client.js";
import { orThrow } from "../../src/client/or-throw.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { skipWithoutServer, startServer } from "../support/server-process.js";

const folder = join(import.meta.dirname, "..", "..", "..");
const page = readFileSync(join(folder, "..", "..", "docs", "api.md"), "utf8");
const program = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map((found) => found[1]).join("\n");
// The folder is inside the package, because Node must find the package by its name.
const scratch = mkdtempSync(join(folder, "dist", "api-page-"));
const file = join(scratch, "page.mjs");
const run = promisify(execFile);

const printed = `paid 1n
true
[ 'hit', 'hit', 'miss' ]
true true
Map(1) { 'pencil' => '2' }
{ name: 'pencil', euros: 1.2 }
hello
true undefined
0
NotFound
Cancelled
true
`;

describe("Node snippets of docs/api.md", () => {
  after(() => rmSync(scratch, { recursive: true, force: true }));

  test("Node snippets of the API page pass the type check", async () => {
    writeFileSync(file, program);
    const options = ["--noEmit", "--allowJs", "--checkJs", "--strict", "--noUnusedLocals", "--types", "node"];
    const modules = ["--module", "nodenext", "--target", "es2022", "--lib", "es2023,esnext.disposable"];
    await run(
      process.execPath,
      [join(folder, "node_modules", "typescript", "bin", "tsc"), ...options, ...modules, file],
      {
        cwd: folder,
      },
    ).catch((error) => assert.fail(error.stdout));
  });

  test("Node snippets of the API page print the documented output", { skip: skipWithoutServer }, async () => {
    const server = await startServer();
    const credentials = `http://${server.endpoint}`;
    const client = new CacheClient({
      credentials,
      configuration: Configurations.Laptop.latest(),
      defaultTtlMs: 60_000,
    });
    orThrow(await client.createCache("orders"));
    await client.close();
    assert.ok(program.includes('"http://127.0.0.1:8080"'));
    writeFileSync(file, program.replace("http://127.0.0.1:8080", credentials));
    const { stdout } = await run(process.execPath, [file], { timeout: 60_000 });
    await server.stop();
    assert.equal(stdout, printed);
  });
});
