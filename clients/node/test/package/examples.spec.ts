// The examples run as they stand, against the server's own program; the guide shows them as they are.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { skipWithoutServer, startServer } from "../support/server-process.js";

const folder = join(import.meta.dirname, "..", "..", "..");
const guides = ["node.md", "collections.md"]
  .map((name) => readFileSync(join(folder, "..", "..", "docs", "guides", name), "utf8"))
  .join("\n");

/** What an example prints. */
const printed: Readonly<Record<string, RegExp>> = {
  fake: /ok 1 - a price is looked up once a minute[\s\S]*ok 2 - a cache that fails is done without[\s\S]*# fail 0\n|✔ a price is looked up once a minute[\s\S]*✔ a cache that fails is done without[\s\S]*fail 0\n/,
  quickstart: /^hello\n$/,
  "cache-aside": /^100 callers, 1 load: <html>load 1<\/html>\nCancelled\n$/,
  leases: /^200 callers, 1 load: <html>load 1<\/html>\npast its time: <html>load 1.*\nanew: <html>load 2.*\nmiss\n$/,
  typed: /^\{ name: 'Ada' \}\nnull\nasked 2 times\nAda, Grace\nDecodingFailed\n$/,
  batches:
    /^Ada, Grace, nobody\n\{\n? +result: 'success',\n? +responses: \[ Hit \{ value: 'Ada' \}, Hit \{ value: 'Grace' \}, Miss \{\} \]\n? *\}\n$/,
  collections: /^bo with 135; Ann of Bergen is online; "again\?"\n$/,
  conditions: /^Ada Barbara Edsger Grace\none stored\ntwo notStored\nthree notStored\n$/,
  metrics:
    /^opened: .*\ncache.client.operation.duration: 5001 calls, .*[\s\S]*cache.hits 5000, cache.misses 0, in flight 0 of 1000\n$/,
  "near-cache": /^12, 1001 hits\n13\n[12]\n$/,
  pages: /^5000 prices\n$/,
  "rate-limiter-flexible": /^100 of 200 pass\n200\n$/,
  topics: /^1: two pencils\n2: 2 bytes\n3: that is all\n$/,
  "cache-manager": /^\{ title: 'Bread', load: 1 \}\n\[ 'Ada', 'Grace', undefined \]\nundefined\n$/,
  // A module that Next loads: it makes no call by itself.
  next: /^$/,
  nestjs: /^\{"pencil":"1.00","asked":1\}\n\{"pencil":"1.00","asked":1\}\n\{"pencil":"1.00","asked":2\}\n$/,
  undici: /^answer 1\nanswer 1 from the cache\n$/,
  "express-session": /^view 1\nview 2\n$/,
  keyv: /^\{ name: 'Ada' \}\nundefined\n$/,
};

describe("examples", () => {
  for (const [name, expected] of Object.entries(printed)) {
    test(`${name} prints what it should`, { skip: skipWithoutServer }, async () => {
      const server = await startServer();
      // An example that is a test reports as by itself.
      const { NODE_TEST_CONTEXT: _, ...own } = process.env;
      const env = { ...own, LARDER_URL: `http://${server.endpoint}` };
      const { stdout } = await promisify(execFile)(process.execPath, [join("examples", `${name}.mjs`)], {
        cwd: folder,
        env,
      });
      await server.stop();
      assert.match(stdout, expected);
    });

    test(`a guide shows ${name} as it is`, () => {
      const code = readFileSync(join(folder, "examples", `${name}.mjs`), "utf8");
      assert.ok(guides.includes(`\`\`\`js\n${code}\`\`\``), `no guide has examples/${name}.mjs as it is`);
    });
  }
});
