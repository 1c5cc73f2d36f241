import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../..", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "larder-package-"));
const run = (command: string, cwd: string, ...args: string[]) => execFileSync(command, args, { cwd, encoding: "utf8" });
let packed: string[] = [];

before(() => {
  const said = run("npm", folder, "pack", "--json", "--silent", "--pack-destination", scratch);
  const [made] = JSON.parse(said) as { filename: string; files: { path: string }[] }[];
  assert.ok(made !== undefined);
  packed = made.files.map((file) => file.path);

  // Copy the dependencies, which are already installed, so that npm can install the package without a registry.
  writeFileSync(join(scratch, "package.json"), JSON.stringify({ name: "scratch", private: true }));
  for (const path of run("npm", folder, "ls", "--all", "--omit=dev", "--parseable").trim().split("\n").slice(1)) {
    cpSync(path, join(scratch, relative(folder, path)), { recursive: true });
  }
  run(
    "npm",
    scratch,
    "install",
    "--offline",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    join(scratch, made.filename),
  );
});

after(() => rmSync(scratch, { recursive: true }));

test("package contains the built client but no tests", () => {
  for (const wanted of [
    "LICENSE",
    "README.md",
    "package.json",
    "dist/CHANGELOG.md",
    "dist/src/index.js",
    "dist/src/index.d.ts",
    "dist/src/testing/fake.js",
    "dist/src/integrations/keyv.js",
    "dist/src/codecs/messagepack.js",
    "dist/src/telemetry/opentelemetry.js",
    "dist/src/integrations/express-session.js",
    "dist/src/integrations/rate-limiter-flexible.js",
    "dist/src/integrations/undici.js",
    "dist/src/integrations/next.js",
    "dist/cjs/package.json",
    "dist/cjs/index.js",
    "dist/cjs/index.d.ts",
  ]) {
    assert.ok(packed.includes(wanted), `${wanted} is missing`);
  }
  const strange = packed.filter(
    (path) => path.includes(".spec.") || !/^(dist\/(src|cjs)\/|dist\/CHANGELOG\.md$|[^/]+$)/.test(path),
  );
  assert.deepEqual(strange, []);
});

test("package.json refers only to packed files", () => {
  const manifest = JSON.parse(readFileSync(join(scratch, "node_modules", "larder-cache", "package.json"), "utf8"));
  assert.equal(manifest.license, "Apache-2.0");
  assert.equal(manifest.engines.node, ">=20.19");
  assert.ok(manifest.repository.url && manifest.keywords.length > 0);
  const paths = (value: unknown): string[] =>
    typeof value === "string" ? [value] : Object.values(value as object).flatMap(paths);
  const named = paths([manifest.main, manifest.types, manifest.exports, manifest.typesVersions]);
  // Each entry point names five files. Each entry point except the first names one more file in typesVersions. `main`
  // and `types` name two more files.
  const entryPoints = Object.keys(manifest.exports).length;
  assert.equal(named.length, 5 * entryPoints + entryPoints - 1 + 2);
  assert.deepEqual(
    named.filter((path) => !packed.includes(path.slice("./".length))),
    [],
  );
});

const names = "[typeof larder.CacheClient, typeof larder.Configurations, typeof keyv.KeyvLarder].join()";

test("CommonJS program can require the package", () => {
  const program = `const larder = require("larder-cache"); const keyv = require("larder-cache/keyv"); console.log(${names})`;
  assert.equal(run("node", scratch, "--input-type=commonjs", "-e", program).trim(), "function,object,function");
});

test("ES module gets the same classes as require", () => {
  const program = `import * as larder from "larder-cache"; import * as keyv from "larder-cache/keyv"; import { createRequire } from "node:module";
    console.log(${names}, createRequire(process.cwd() + "/")("larder-cache").CacheClient === larder.CacheClient)`;
  assert.equal(run("node", scratch, "--input-type=module", "-e", program).trim(), "function,object,function true");
});

test("FakeServer is the same class in CommonJS and ES modules", () => {
  const use = 'new FakeServer().client().cache("cache").get("key").then(({ result }) => console.log(result))';
  const program = `const { FakeServer } = require("larder-cache/fake"); ${use}`;
  assert.equal(run("node", scratch, "--input-type=commonjs", "-e", program).trim(), "miss");
  const module = `import { FakeServer } from "larder-cache/fake"; import { createRequire } from "node:module"; ${use};
    console.log(createRequire(process.cwd() + "/")("larder-cache/fake").FakeServer === FakeServer)`;
  assert.deepEqual(run("node", scratch, "--input-type=module", "-e", module).trim().split("\n").sort(), [
    "miss",
    "true",
  ]);
});

test("undici and Next adapters load without their frameworks", () => {
  const names = "[typeof LarderCacheStore, typeof nextCacheHandler].join()";
  const program = `const { LarderCacheStore } = require("larder-cache/undici");
    const { nextCacheHandler } = require("larder-cache/next"); console.log(${names})`;
  assert.equal(run("node", scratch, "--input-type=commonjs", "-e", program).trim(), "function,function");
  const module = `import { LarderCacheStore } from "larder-cache/undici";
    import { nextCacheHandler } from "larder-cache/next"; console.log(${names})`;
  assert.equal(run("node", scratch, "--input-type=module", "-e", module).trim(), "function,function");
});

test("adapters of optional packages load from CommonJS and ES modules", () => {
  const use = "console.log(messagePackCodec().content, typeof openTelemetryHooks().callEnded)";
  const program = `const { messagePackCodec } = require("larder-cache/messagepack");
    const { openTelemetryHooks } = require("larder-cache/opentelemetry"); ${use}`;
  assert.equal(run("node", folder, "--input-type=commonjs", "-e", program).trim(), "4 function");
  const module = `import { messagePackCodec } from "larder-cache/messagepack";
    import { openTelemetryHooks } from "larder-cache/opentelemetry"; ${use}`;
  assert.equal(run("node", folder, "--input-type=module", "-e", module).trim(), "4 function");
});

test("adapters extend their framework's class in CommonJS and ES modules", () => {
  const extend = `console.log(LarderStore.prototype instanceof session.Store,
    Object.getPrototypeOf(RateLimiterLarder) === Object.getPrototypeOf(limiters.RateLimiterRedis))`;
  const program = `const { LarderStore } = require("larder-cache/express-session");
    const { RateLimiterLarder } = require("larder-cache/rate-limiter-flexible");
    const session = require("express-session"), limiters = require("rate-limiter-flexible"); ${extend}`;
  assert.equal(run("node", folder, "--input-type=commonjs", "-e", program).trim(), "true true");
  const module = `import { LarderStore } from "larder-cache/express-session"; import session from "express-session";
    import { RateLimiterLarder } from "larder-cache/rate-limiter-flexible";
    import limiters from "rate-limiter-flexible"; ${extend}`;
  assert.equal(run("node", folder, "--input-type=module", "-e", module).trim(), "true true");
});
