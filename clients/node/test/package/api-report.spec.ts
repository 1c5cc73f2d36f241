import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const folder = join(import.meta.dirname, "..", "..", "..");

function report(cwd: string): { readonly status: number | null; readonly stderr: string } {
  return spawnSync(process.execPath, ["api-report.mjs"], { cwd, encoding: "utf8" });
}

test("API report covers every export of package.json", () => {
  const { status, stderr } = report(folder);
  assert.equal(stderr, "");
  assert.equal(status, 0);
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { exports: object };
  for (const entry of Object.keys(exports)) {
    const name = entry === "." ? "larder-cache" : entry.slice("./".length);
    assert.match(readFileSync(join(folder, "etc", `${name}.api.md`), "utf8"), /export /, name);
  }
});

test("changed signature or stale report fails the API report check", () => {
  const copy = mkdtempSync(join(tmpdir(), "larder-api-"));
  try {
    for (const name of ["api-report.mjs", "package.json", "tsconfig.json", "etc"])
      cpSync(join(folder, name), join(copy, name), { recursive: true });
    mkdirSync(join(copy, "dist"));
    cpSync(join(folder, "dist", "src"), join(copy, "dist", "src"), { recursive: true });
    symlinkSync(join(folder, "node_modules"), join(copy, "node_modules"));
    const codec = join(copy, "dist", "src", "codecs", "messagepack.d.ts");
    writeFileSync(codec, `${readFileSync(codec, "utf8")}export declare function added(): void;\n`);
    writeFileSync(join(copy, "etc", "removed"), "");
    const { status, stderr } = report(copy);
    assert.equal(status, 1);
    assert.match(stderr, /differs from clients\/node\/etc: messagepack\.api\.md, removed\. .*npm run api:update/);
  } finally {
    rmSync(copy, { recursive: true });
  }
});
