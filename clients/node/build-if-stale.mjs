// Builds dist, unless it is newer than every source file.
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const builtAt = statSync(join("dist", "cjs", "package.json"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
const folders = ["src", "agent", "bench", "test"].filter((name) => statSync(name, { throwIfNoEntry: false }));
const sources = folders.flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)));
const settings = ["package.json", "tsconfig.json", "build-commonjs.mjs"];
if ([...sources, ...settings].some((name) => statSync(name).mtimeMs > builtAt)) {
  console.error("building clients/node (only if its sources changed) …");
  process.exitCode = spawnSync("npm", ["run", "build", "--silent"], { stdio: "inherit" }).status ?? 1;
}
