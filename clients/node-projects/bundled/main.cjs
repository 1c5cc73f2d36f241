const { Keyv } = require("keyv");
const { CacheClient, CredentialProvider } = require("larder-cache");
const { FakeServer } = require("larder-cache/fake");
const { KeyvLarder } = require("larder-cache/keyv");

const client = new FakeServer().client();
const keyv = new Keyv({ store: new KeyvLarder({ client, cacheName: "cache" }) });
keyv
  .set("key", "value")
  .then(() => keyv.get("key"))
  .then((value) => console.log(value, client instanceof CacheClient, typeof CredentialProvider.local))
  .then(() => client.close());
