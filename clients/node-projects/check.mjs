// Checks the packed package: publint checks its manifest; attw checks its types under each module resolution. Changes
// nothing in the working tree.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const client = join(import.meta.dirname, "..", "node");
const modules = join(import.meta.dirname, "node_modules");
const scratch = mkdtempSync(join(tmpdir(), "larder-check-"));
const copy = join(scratch, "package");
const run = (args, cwd) => execFileSync(process.execPath, args, { cwd, encoding: "utf8" });

// Returns whether the build is newer than each source file.
function isBuilt() {
  const builtAt = statSync(join(client, "dist", "cjs", "index.js"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(join(client, "src"), { recursive: true });
  return sources.every((name) => statSync(join(client, "src", name)).mtimeMs < builtAt);
}

try {
  const names = ["package.json", "README.md", "LICENSE", "build-commonjs.mjs", ...(isBuilt() ? ["dist"] : [])];
  for (const name of names) cpSync(join(client, name), join(copy, name), { recursive: true });
  symlinkSync(join(client, "node_modules"), join(copy, "node_modules"));
  if (!names.includes("dist")) {
    run(
      [join(client, "node_modules", "typescript", "bin", "tsc"), "-p", client, "--outDir", join(copy, "dist")],
      client,
    );
    run(["build-commonjs.mjs"], copy);
  }
  const pack = ["pack", "--ignore-scripts", "--silent", "--pack-destination", scratch];
  const tarball = join(scratch, execFileSync("npm", pack, { cwd: copy, encoding: "utf8" }).trim());
  run([join(modules, "publint", "src", "cli.js"), "run", "--strict", tarball], scratch);
  run([join(modules, "@arethetypeswrong", "cli", "dist", "index.js"), tarball], scratch);
} catch (error) {
  console.error(`${error.stdout ?? ""}${error.stderr ?? ""}${error.message}`);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true });
}
