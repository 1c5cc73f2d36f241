// Usage: node esbuild.mjs ENTRY FILE FORMAT. Bundles ENTRY for Node.
import { build } from "esbuild";

const [, , entry, outfile, format] = process.argv;
await build({ entryPoints: [entry], outfile, format, bundle: true, platform: "node", logLevel: "warning" });
