// Usage: node webpack.mjs ENTRY FILE. Bundles ENTRY for Node.
import { basename, dirname, resolve } from "node:path";
import webpack from "webpack";

const [, , entry, file] = process.argv;
const compiler = webpack({
  entry: resolve(entry),
  mode: "production",
  target: "node",
  experiments: { topLevelAwait: true },
  output: { path: dirname(resolve(file)), filename: basename(file) },
});
compiler.run((error, stats) => {
  if (error) throw error;
  if (stats.hasErrors() || stats.hasWarnings()) {
    console.error(stats.toString("errors-warnings"));
    process.exitCode = 1;
  }
});
