// Compares the public names and signatures of each entry of `exports` with etc/*.api.md. With --update, writes these
// files instead. Reads the declarations in dist, so build dist first.
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { Extractor, ExtractorConfig } from "@microsoft/api-extractor";

const folder = import.meta.dirname;
const update = process.argv.includes("--update");
const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const { compilerOptions } = JSON.parse(readFileSync(join(folder, "tsconfig.json"), "utf8"));
// The report contains everything that a caller can see. Missing documentation and missing exports are visible in the
// report itself, so messages about them are not logged.
const silent = { default: { logLevel: "none" } };

mkdirSync(join(folder, "etc"), { recursive: true });
const changed = [];
const names = [];
for (const [entry, { import: target }] of Object.entries(manifest.exports)) {
  const name = entry === "." ? manifest.name : basename(entry);
  const config = ExtractorConfig.prepare({
    packageJsonFullPath: join(folder, "package.json"),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: join(folder, target.types),
      compiler: { overrideTsconfig: { compilerOptions, files: [target.types] } },
      apiReport: {
        enabled: true,
        reportFileName: name,
        reportFolder: join(folder, "etc"),
        // Classes that a public class extends are part of its public API.
        includeForgottenExports: entry === ".",
        reportTempFolder: join(folder, "dist", "api"),
      },
      newlineKind: "lf",
      messages: { compilerMessageReporting: silent, extractorMessageReporting: silent, tsdocMessageReporting: silent },
    },
  });
  const result = Extractor.invoke(config, {
    localBuild: update,
    messageCallback: (message) => (message.handled = true),
  });
  names.push(`${name}.api.md`);
  if (result.apiReportChanged) changed.push(`${name}.api.md`);
}
const left = readdirSync(join(folder, "etc")).filter((name) => !names.includes(name));
if (update) for (const name of left) rmSync(join(folder, "etc", name));
else changed.push(...left);
if (changed.length > 0 && !update) {
  console.error(
    `error: the public API differs from clients/node/etc: ${changed.join(", ")}. ` +
      "If the change is intended, run `npm run api:update` and commit the reports.",
  );
  process.exitCode = 1;
}
