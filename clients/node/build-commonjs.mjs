// Builds dist/cjs, the modules of dist/src as CommonJS, for tools that cannot require ES modules, such as Jest.
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";

const from = "dist/src";
const to = "dist/cjs";
const files = readdirSync(from, { recursive: true });
const modules = files.filter((name) => name.endsWith(".js"));

await build({
  entryPoints: modules.map((name) => join(from, name)),
  outdir: to,
  outbase: from,
  format: "cjs",
  platform: "node",
  target: "node20.19",
  logLevel: "warning",
});
// Marks the modules and their declarations as CommonJS.
writeFileSync(join(to, "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`);
for (const name of files.filter((name) => name.endsWith(".d.ts"))) {
  mkdirSync(dirname(join(to, name)), { recursive: true });
  copyFileSync(join(from, name), join(to, name));
}
