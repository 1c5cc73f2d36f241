import { keyvApiTests, keyvIteratorTests, keyvNamespaceTest, keyvValueTests } from "@keyv/test-suite";
import { Keyv } from "keyv6";
import * as vitest from "vitest";
import { CacheClient, Configurations, CredentialProvider, withSettings } from "../../dist/src/index.js";
import { KeyvLarder } from "../../dist/src/integrations/keyv.js";
import { type ServerProcess, serverProgram, startServer } from "../../dist/test/support/server-process.js";

// Keyv publishes its test suite only for version 5. This file runs the suite with Keyv 6 and both versions of the
// adapter's interface. It omits the cases whose result differs in version 6; keyv-namespaces.test.mts tests these
// cases.
const omitted = [
  // In version 6, the result is an array with one element for each key.
  ".deleteMany([keys]) with nonexistent keys resolves to false",
  // In version 6, keys do not contain the namespace. If one store serves two namespaces, the adapter therefore rejects
  // the call.
  "iterator() doesn't yield values from other namespaces",
];
const it = (name: string, run: never) => (omitted.includes(name) ? undefined : vitest.it(name, run));
const suite = { ...vitest, test: it, it } as never;

for (const keyvVersion of [5, 6] as const)
  vitest.describe.skipIf(serverProgram() === null)(`Keyv 6 over KeyvLarder for Keyv ${keyvVersion}`, () => {
    let server: ServerProcess;
    let client: CacheClient;
    vitest.beforeAll(async () => {
      server = await startServer();
      client = new CacheClient({
        credentials: CredentialProvider.local(server.endpoint),
        configuration: withSettings(Configurations.Laptop.latest(), { requestTimeoutMs: 30_000 }),
        defaultTtlMs: 60_000,
      });
    });
    vitest.afterAll(async () => {
      await client.close();
      await server.stop();
    });
    const store = () => new KeyvLarder({ client, cacheName: "cache", keyvVersion });
    keyvApiTests(suite, Keyv as never, store as never);
    keyvValueTests(suite, Keyv as never, store as never);
    keyvNamespaceTest(suite, Keyv as never, store as never);
    keyvIteratorTests(suite, Keyv as never, store as never);
  });
