// Tests the packed package in small projects that use other tools. The projects are in clients/node-projects.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { installPacked } from "../support/packed-package.js";

const projects = join(import.meta.dirname, "..", "..", "..", "..", "node-projects");
const modules = join(projects, "node_modules");
const timeout = 120_000;

/** Runs a program with this Node executable. Rejects with the program's output if it fails. */
async function run(args: readonly string[], cwd = projects, env: NodeJS.ProcessEnv = {}): Promise<string> {
  // Remove the variables of this file's test runner, because the projects must not inherit them.
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...own } = process.env;
  const options = { cwd, timeout, env: { ...own, ...env } };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, options).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}\n${error.stderr}`);
  });
  return stdout + stderr;
}

describe("project with the packed package", () => {
  let scratch = "";
  before(() => {
    installPacked(projects);
    // The folder is inside the projects' node_modules, because imports must resolve.
    scratch = mkdtempSync(join(modules, ".larder-"));
  });
  after(() => rmSync(scratch, { recursive: true, force: true }));

  const jest = (name: string, config: object, env: NodeJS.ProcessEnv = {}) =>
    run(
      [
        join(modules, "jest", "bin", "jest.js"),
        ...["--rootDir", join(projects, name), "--config", JSON.stringify({ ...config, cacheDirectory: scratch })],
        ...["--ci", "--watchman=false"],
      ],
      projects,
      env,
    );

  test("Jest requires the package in CommonJS tests", async () => {
    assert.match(await jest("jest-commonjs", {}), /Tests: +4 passed, 4 total/);
  });

  test("Jest imports the package in ES module tests", async () => {
    const config = { testMatch: ["**/*.test.mjs"], transform: {} };
    const told = await jest("jest-esm", config, { NODE_OPTIONS: "--experimental-vm-modules" });
    assert.match(told, /Tests: +1 passed, 1 total/);
  });

  test("Vitest imports the package under fake timers", async () => {
    const vitest = join(modules, "vitest", "vitest.mjs");
    const told = await run([vitest, "run", "--root", "vitest", "--no-color"], projects, { NO_COLOR: "1" });
    assert.match(told, /Tests +1 passed \(1\)/);
  });

  const bundled = /^value true function\s*$/;
  for (const [entry, format, extension] of [
    ["main.mjs", "esm", "mjs"],
    ["main.cjs", "cjs", "cjs"],
  ] as const) {
    test(`esbuild bundles the package from ${entry}`, async () => {
      const out = join(scratch, `esbuild.${extension}`);
      const esbuild = join(projects, "esbuild.mjs");
      await run([esbuild, join("bundled", entry), out, format]);
      assert.match(await run([out], scratch), bundled);
    });

    test(`webpack bundles the package from ${entry}`, async () => {
      const out = join(scratch, `webpack-${extension}.cjs`);
      assert.equal(await run([join(projects, "webpack.mjs"), join("bundled", entry), out]), "");
      assert.match(await run([out], scratch), bundled);
    });
  }

  for (const [moduleResolution, module, type] of [
    ["node10", "commonjs", "commonjs"],
    ["node16", "node16", "commonjs"],
    ["nodenext", "nodenext", "module"],
    ["bundler", "esnext", "module"],
  ] as const)
    test(`TypeScript accepts the declarations with moduleResolution ${moduleResolution}`, async () => {
      const project = join(scratch, moduleResolution);
      mkdirSync(project);
      cpSync(join(projects, "typescript", "main.ts"), join(project, "main.ts"));
      symlinkSync(modules, join(project, "node_modules"));
      writeFileSync(join(project, "package.json"), JSON.stringify({ type }));
      const compilerOptions = {
        ...{ module, moduleResolution, target: "es2022", types: ["node"], outDir: "out" },
        ...{ strict: true, skipLibCheck: false },
      };
      writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["main.ts"] }));
      assert.equal(await run([join(modules, "typescript", "bin", "tsc"), "-p", project], project), "");
      assert.match(await run([join("out", "main.js")], project), /^value (function,?)+\s*$/);
    });
});
