// Compares import time, memory and minified bundle size with @gomomento/sdk and bare grpc-js, alternating in one run.
// Prints a table and writes bench/results/footprint.json.
// Usage: node dist/bench/footprint.js
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { facts, median } from "./statistics.js";

const here = fileURLToPath(new URL("../..", import.meta.url));
const modules = {
  "larder-cache": "./dist/src/index.js",
  "@gomomento/sdk": "@gomomento/sdk",
  "@grpc/grpc-js": "@grpc/grpc-js",
};
const rounds = 7;

const measured = new Map<string, { importMs: number; residentMb: number }[]>();
for (let round = 0; round < rounds; round++)
  for (const [name, specifier] of Object.entries(modules)) {
    const program = `const from = performance.now(); await import(${JSON.stringify(specifier)});
      console.log(JSON.stringify({ importMs: performance.now() - from, residentMb: process.memoryUsage.rss() / 1e6 }));`;
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd: here });
    measured.set(name, [...(measured.get(name) ?? []), JSON.parse(output.toString())]);
  }

const rows = [];
for (const [name, specifier] of Object.entries(modules)) {
  const all = measured.get(name)!;
  const of = (field: "importMs" | "residentMb") => median(all.map((each) => each[field]));
  const bundle = await build({
    stdin: { contents: `export * from ${JSON.stringify(specifier)}`, resolveDir: here },
    ...{ bundle: true, minify: true, platform: "node", format: "esm", write: false, logLevel: "error" },
  });
  const [importMs, residentMb] = [of("importMs").toFixed(1), of("residentMb").toFixed(1)].map(Number);
  rows.push({ name, importMs, residentMb, bundleKb: Math.round(bundle.outputFiles[0]!.contents.length / 1_000) });
}
console.table(rows);
const file = new URL("../../bench/results/footprint.json", import.meta.url);
writeFileSync(file, `${JSON.stringify({ ...facts("node dist/bench/footprint.js"), rounds, rows }, null, 1)}\n`);
