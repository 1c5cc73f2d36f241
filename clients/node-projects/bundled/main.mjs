import { Keyv } from "keyv";
import { CacheClient, CredentialProvider } from "larder-cache";
import { FakeServer } from "larder-cache/fake";
import { KeyvLarder } from "larder-cache/keyv";

const client = new FakeServer().client();
const keyv = new Keyv({ store: new KeyvLarder({ client, cacheName: "cache" }) });
await keyv.set("key", "value");
console.log(await keyv.get("key"), client instanceof CacheClient, typeof CredentialProvider.local);
await client.close();
