// Runs the examples unmodified against the real server, and checks that the guides contain them verbatim.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { skipWithoutServer, startServer } from "../support/server-process.js";

const folder = join(import.meta.dirname, "..", "..", "..");
const pages = join(folder, "..", "..", "docs", "guides");
const guides = [
  ...["node.md", "node-programs.md", "collections.md"],
  ...readdirSync(join(pages, "node")).map((name) => join("node", name)),
]
  .map((name) => readFileSync(join(pages, name), "utf8"))
  .join("\n");

/** The expected output of each example. */
const printed: Readonly<Record<string, RegExp>> = {
  fake: /ok 1 - loads a price once a minute[\s\S]*ok 2 - works without the cache if the cache fails[\s\S]*# fail 0\n|✔ loads a price once a minute[\s\S]*✔ works without the cache if the cache fails[\s\S]*fail 0\n/,
  quickstart: /^hello\n$/,
  "cache-aside": /^100 pages, 1 load: <h1>Pencil<\/h1> 1\.20 €\nthe browser has gone\nCancelled\n$/,
  sessions: /^Ada\ntrue\nguest\nno session: Cancelled\nguest\n$/,
  "rate-limit": /^5 of 8 pass\nretry after 1 min\n\{ allowed: true, reason: 'Cancelled' \}\n$/,
  cart: /^\[ \{ product: 'pencil', count: 3 \} \]\n\[\]\n$/,
  leaderboard: /^130\nbo: 130\nann: 120\n3 null\n$/,
  jobs: /^backup after 1\nmail after 1\nreport after 2\n$/,
  leases: /^200 callers, 1 load: <html>load 1<\/html>\nexpired: <html>load 1.*\nrefreshed: <html>load 2.*\nmiss\n$/,
  typed: /^\{ name: 'Ada' \}\nnull\nasked 2 times\nAda, Grace\nDecodingFailed\n$/,
  batches:
    /^pencil of acme, paper of acme, ink of blot\nmiss, miss, ink of blot\n\{ result: 'success', responses: \[ Hit \{ value: '1\.20' \}, Miss \{\} \] \}\n$/,
  collections: /^bo with 135; Ann of Bergen is online; "again\?"\n$/,
  conditions: /^Ada Barbara Edsger Grace\none stored\ntwo notStored\nthree notStored\n$/,
  metrics:
    /^opened: .*\ncache.client.operation.duration: 5001 calls, .*[\s\S]*cache.hits 5000, cache.misses 0, in flight 0 of 1000\n$/,
  "near-cache": /^on, 1001 hits\nfalse\n[12]\n$/,
  pages: /^5000 prices\n$/,
  "rate-limiter-flexible": /^100 of 200 pass\n200\n$/,
  topics: /^1: two pencils\n2: 2 bytes\n3: that is all\n$/,
  "cache-manager": /^\{ title: 'Bread', load: 1 \}\n\[ 'Ada', 'Grace', undefined \]\nundefined\n$/,
  // This example prints nothing. It only exports a handler that Next.js calls.
  next: /^$/,
  nestjs: /^\{"pencil":"1.00","asked":1\}\n\{"pencil":"1.00","asked":1\}\n\{"pencil":"1.00","asked":2\}\n$/,
  undici: /^answer 1\nanswer 1 from the cache\n$/,
  "express-session": /^view 1\nview 2\n$/,
  keyv: /^\{ name: 'Ada' \}\nundefined\n$/,
};

describe("examples", () => {
  for (const [name, expected] of Object.entries(printed)) {
    test(`${name} prints the expected output`, { skip: skipWithoutServer }, async () => {
      const server = await startServer();
      // Remove this variable. Otherwise an example that is a test does not print its results in the usual format.
      const { NODE_TEST_CONTEXT: _, ...own } = process.env;
      const env = { ...own, LARDER_URL: `http://${server.endpoint}` };
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [join("examples", `${name}.mjs`)], {
        cwd: folder,
        env,
      });
      await server.stop();
      assert.match(stdout, expected);
      assert.equal(stderr, "");
    });

    test(`guide contains ${name} verbatim`, () => {
      const code = readFileSync(join(folder, "examples", `${name}.mjs`), "utf8");
      assert.ok(guides.includes(`\`\`\`js\n${code}\`\`\``), `no guide has examples/${name}.mjs as it is`);
    });
  }

  test("ten-program guide lists ten programs of at most 40 lines", () => {
    const page = readFileSync(join(folder, "..", "..", "docs", "guides", "node-programs.md"), "utf8");
    const programs = [...page.matchAll(/^\|.*\| `([\w-]+)\.mjs` \|$/gm)].map((found) => found[1]!);
    assert.equal(programs.length, 10);
    for (const name of programs) {
      assert.ok(name in printed, name);
      const lines = readFileSync(join(folder, "examples", `${name}.mjs`), "utf8").split("\n").length - 1;
      assert.ok(lines <= 40, `${name} has ${lines} lines`);
    }
  });
});
