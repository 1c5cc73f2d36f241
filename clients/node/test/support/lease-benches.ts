import { setTimeout } from "node:timers/promises";
import { CacheClient } from "../../src/client/client.js";
import type { Configuration } from "../../src/configuration/configuration.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import { FakeServer } from "../../src/testing/fake.js";
import { type ServerProcess, startServer } from "./server-process.js";

/** A server that supports leases, and control over the server's time. */
export interface LeaseBench {
  /** Creates another client of the server. It acts as another process and is closed together with the bench. */
  client(changes?: Partial<Configuration>): CacheClient;
  /** Lets at least `ms` milliseconds pass. */
  pass(ms: number): Promise<void>;
  /** Waits for a result. With the fake server, this also advances the time until the result is available. */
  settled<T>(asked: Promise<T>): Promise<T>;
  close(): Promise<void>;
}

// A deadline that is long enough even on a loaded machine.
const patient = { requestTimeoutMs: 40_000 };

/** Returns a bench with the fake server, whose clock the test advances. */
export function fakeBench(): LeaseBench {
  const fake = new FakeServer();
  const clients: CacheClient[] = [];
  return {
    client: (changes = {}) => {
      const configuration = withSettings(Configurations.Laptop.latest(), { ...patient, maxRetries: 0, ...changes });
      const client = fake.client({ configuration });
      clients.push(client);
      return client;
    },
    pass: (ms) => fake.advance(ms),
    async settled(asked) {
      let over = false;
      const end = () => {
        over = true;
      };
      asked.then(end, end);
      for (await fake.advance(0); !over; ) await fake.advance(5);
      return asked;
    },
    close: async () => void (await Promise.all(clients.map((client) => client.close()))),
  };
}

/** Returns a bench with the real server. */
export async function serverBench(): Promise<LeaseBench> {
  const server: ServerProcess = await startServer();
  const clients: CacheClient[] = [];
  return {
    client: (changes = {}) => {
      const client = new CacheClient({
        credentials: CredentialProvider.local(server.endpoint),
        configuration: withSettings(Configurations.Laptop.latest(), { ...patient, ...changes }),
        defaultTtlMs: 60_000,
      });
      clients.push(client);
      return client;
    },
    // Wait 2 ms longer, because the server rounds the time of its clock down.
    pass: (ms) => setTimeout(ms === 0 ? 0 : ms + 2),
    settled: (asked) => asked,
    async close() {
      await Promise.all(clients.map((client) => client.close()));
      await server.stop();
    },
  };
}
