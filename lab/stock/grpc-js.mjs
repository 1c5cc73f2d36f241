// Node's stock gRPC client. Arguments: PORT IN_FLIGHT CALLS REQUEST_HEX WANTED_HEX. Writes one JSON line.
import { createRequire } from "node:module";

const grpc = createRequire(new URL("../../clients/node/package.json", import.meta.url))("@grpc/grpc-js");
const [port, inFlight, calls] = process.argv.slice(2, 5).map(Number);
const [request, wanted] = process.argv.slice(5, 7).map((hex) => Buffer.from(hex, "hex"));
const client = new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
const metadata = new grpc.Metadata();
metadata.set("cache", "cache");
const asIs = (bytes) => bytes;
const took = [];
const errors = {};
let wrong = 0;
let sent = 0;
const call = () =>
  new Promise((resolve) => {
    const at = performance.now();
    const options = { deadline: Date.now() + 30_000 };
    client.makeUnaryRequest("/cache_client.Scs/Get", asIs, asIs, request, metadata, options, (error, bytes) => {
      took.push((performance.now() - at) * 1_000);
      if (error) errors[error.message] = (errors[error.message] ?? 0) + 1;
      else if (!wanted.equals(bytes)) wrong++;
      resolve();
    });
  });
const began = performance.now();
await Promise.all(
  Array.from({ length: inFlight }, async () => {
    while (sent++ < calls) await call();
  }),
);
const seconds = (performance.now() - began) / 1_000;
took.sort((a, b) => a - b);
const result = { seconds, p999Us: took[Math.floor((calls * 999) / 1_000)], maxUs: took.at(-1), wrong, errors };
console.log(JSON.stringify(result));
client.close();
