import { setTimeout } from "node:timers/promises";
import { CacheClient } from "../../src/client/client.js";
import type { Configuration } from "../../src/configuration/configuration.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import { FakeServer } from "../../src/testing/fake.js";
import { type ServerProcess, startServer } from "./server-process.js";

/** A server with leases, and control over its time. */
export interface LeaseBench {
  /** Creates another client of the server, which acts as another process. Closed together with the bench. */
  client(changes?: Partial<Configuration>): CacheClient;
  /** Lets at least `ms` milliseconds pass. */
  pass(ms: number): Promise<void>;
  /** Waits for a result while time passes. */
  settled<T>(asked: Promise<T>): Promise<T>;
  close(): Promise<void>;
}

// A deadline that even a loaded machine meets.
const patient = { requestTimeoutMs: 40_000 };

/** A bench with the fake, whose clock the test advances. */
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

/** A bench with the real server. */
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
    // Adds 2 ms, because the server rounds its clock down.
    pass: (ms) => setTimeout(ms === 0 ? 0 : ms + 2),
    settled: (asked) => asked,
    async close() {
      await Promise.all(clients.map((client) => client.close()));
      await server.stop();
    },
  };
}
