// Set a value and read it back. A server listens at 127.0.0.1:8080: `./larder serve`.
import { CacheClient, Configurations, CredentialProvider } from "larder-cache";

const client = new CacheClient({
  credentials: CredentialProvider.local(process.env.LARDER_ENDPOINT ?? "127.0.0.1:8080"),
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 60_000,
});

const set = await client.set("cache", "greeting", "hello");
if (set.result === "error") throw set.error;

const got = await client.get("cache", "greeting");
switch (got.result) {
  case "hit":
    console.log(got.value);
    break;
  case "miss":
    console.log("nothing there");
    break;
  case "error":
    console.error(got.error.code, got.error.message);
}

await client.close();
