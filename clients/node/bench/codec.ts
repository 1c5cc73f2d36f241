// Compares the codec of this client with protobufjs and its generated code. Measures the encoding of a set, the
// decoding of a get's response, and the size that each codec adds to a bundle. The two codecs alternate in one run.
// Prints tables and writes bench/results/codec.json.
// Usage: node dist/bench/codec.js
import { Buffer } from "node:buffer";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import protobuf from "protobufjs";
import { ProtoReader } from "../src/operations/proto-reader.js";
import { ProtoWriter } from "../src/operations/proto-writer.js";
import { GetOperation, SetOperation } from "../src/operations/scalar-operations.js";
import { facts, median } from "./statistics.js";

const root = await protobuf.load(fileURLToPath(new URL("../../../../protocol/proto/cache.proto", import.meta.url)));
const setRequest = root.lookupType("cache_client.SetRequest");
const getResponse = root.lookupType("cache_client.GetResponse");
const value = "v".repeat(100);
const key = "larder-000000042";
const answer = Buffer.from(getResponse.encode({ result: 2, value: Buffer.from(value) }).finish());
const writer = new ProtoWriter(65_536);
const get = new GetOperation("cache", key);
const calls = 300_000;
const rounds = 7;

const lanes: Record<string, () => unknown> = {
  "encode a set, ours": () => {
    const set = new SetOperation("cache", key, value, 60_000);
    writer.clear(65_536);
    writer.reserve(set.measure() + 16);
    set.encode(writer);
    return writer.length;
  },
  "encode a set, protobufjs": () =>
    setRequest.encode({ key: Buffer.from(key), value: Buffer.from(value), ttlMs: 60_000 }).finish().length,
  "decode a get, ours": () => get.decode(new ProtoReader(answer)).result,
  "decode a get, protobufjs": () => getResponse.decode(answer),
};
const nanoseconds = new Map<string, number[]>();
for (let round = 0; round < rounds; round++)
  for (const [name, run] of Object.entries(lanes)) {
    const from = performance.now();
    for (let i = 0; i < calls; i++) run();
    nanoseconds.set(name, [...(nanoseconds.get(name) ?? []), ((performance.now() - from) * 1e6) / calls]);
  }
const rows = [...nanoseconds].map(([name, all]) => ({ name, nanoseconds: Math.round(median(all)) }));
console.table(rows);

// The bundles contain no message definitions. With protobufjs, an application also needs generated code, which is not
// measured here.
const bundles = [];
for (const specifier of ["./dist/src/operations/scalar-operations.js", "protobufjs/minimal.js"]) {
  const resolveDir = fileURLToPath(new URL("../..", import.meta.url));
  const contents = `export * from ${JSON.stringify(specifier)}`;
  const bundle = { bundle: true, minify: true, platform: "node", format: "esm", write: false } as const;
  const { outputFiles } = await build({ stdin: { contents, resolveDir }, ...bundle });
  bundles.push({ name: specifier, minifiedBytes: outputFiles[0]!.contents.length });
}
console.table(bundles);
const file = new URL("../../bench/results/codec.json", import.meta.url);
writeFileSync(file, `${JSON.stringify({ ...facts("node dist/bench/codec.js"), rounds, rows, bundles }, null, 1)}\n`);
