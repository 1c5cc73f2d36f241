/**
 * A fake Larder server for tests. It runs in the test's process, without a network.
 *
 * @module larder-cache/fake
 */

import { setImmediate } from "../calls/system-timers.js";
import { CacheClient } from "../client/client.js";
import type { CacheClientOptions } from "../client/client-options.js";
import { checkCacheName, requireKnownNames } from "../client/validation.js";
import { withSettings } from "../configuration/configuration-check.js";
import { Configurations } from "../configuration/configurations.js";
import { CredentialProvider } from "../configuration/credential-provider.js";
import { kinds } from "../operations/_generated/operation-kinds.js";
import { type FakeCode, type FakeOperation, statusOf } from "./fake-faults.js";
import { FakeHost } from "./fake-host.js";
import { checkedLimits, type FakeLimits } from "./fake-limits.js";
import { FakeTopicLinks } from "./fake-topic-links.js";
import { FakeTransport, injected } from "./fake-transport.js";

export type { FakeCode, FakeLimits, FakeOperation };

/** Options of a `FakeServer`. */
export interface FakeServerOptions extends Partial<FakeLimits> {
  /**
   * Names of the caches that exist from the start. The default is the same as on a server.
   * @defaultValue `["cache"]`
   */
  readonly caches?: readonly string[] | undefined;
}

/** Options of an injected fault. */
export interface FakeFaultOptions {
  /**
   * Number of calls to which the fault applies: an integer of at least 1, or Infinity.
   * @defaultValue 1
   */
  readonly times?: number | undefined;
}

/** Options of a client of a fake server. Each option has a default. */
export type FakeClientOptions = Partial<Omit<CacheClientOptions, "credentials">>;

const optionNames = ["caches", "maxTtlMs", "maxTopics", "maxTopicSubscribers"];
const clientOptionNames = ["configuration", "defaultTtlMs", "metrics", "logger"];
const defaultTtlMs = 60_000;
// The maximum time of one `advance`. It is also the maximum TTL: 365 days.
const maxMoveMs = 31_536_000_000;

/**
 * A Larder server in the test's process. `const client = new FakeServer().client()` is a complete `CacheClient` without
 * a network. Calls behave as specified in `protocol/spec`. The server's clock stands still until `advance` moves it.
 * Times to live, timeouts, back-offs and the heartbeats of topics use that clock. All clients of one fake server share
 * its caches. The fake server checks no tokens, evicts nothing and has no near cache.
 */
export class FakeServer {
  readonly #host: FakeHost;
  #moving: Promise<void> = Promise.resolve();

  constructor(options: FakeServerOptions = {}) {
    requireKnownNames("option", options, optionNames);
    const { caches = ["cache"], ...limits } = options;
    this.#host = new FakeHost(checkedLimits(limits));
    if (!Array.isArray(caches)) throw new TypeError("caches must be a list of names");
    for (const name of new Set<string>(caches)) {
      const invalid = checkCacheName(name);
      if (invalid !== null) throw new RangeError(invalid.error.message);
      this.#host.caches.create(name);
    }
    const host = this.#host;
    this.credentials = CredentialProvider.ofInProcess({
      clock: host.clock,
      transport: () => new FakeTransport(host),
      topics: () => new FakeTopicLinks(host, this.credentials),
    });
  }

  /** Credentials for code that creates its client itself: `new CacheClient({ credentials: fake.credentials, … })`. */
  readonly credentials: CredentialProvider;

  /**
   * Creates a client of this server. By default, the time to live is 60 s, and the configuration is
   * `Configurations.Laptop` without retries. Without retries, callers see injected errors.
   */
  client(options: FakeClientOptions = {}): CacheClient {
    requireKnownNames("option", options, clientOptionNames);
    const configuration = options.configuration ?? withSettings(Configurations.Laptop.latest(), { maxRetries: 0 });
    return new CacheClient({ defaultTtlMs, ...options, configuration, credentials: this.credentials });
  }

  /** The time on the fake server's clock in milliseconds. It starts at 0. */
  get nowMs(): number {
    return this.#host.clock.now();
  }

  /**
   * Advances the clock and runs each event that becomes due, in order and at its time.
   * @param ms - Milliseconds, 0 … 31,536,000,000. 0 only completes pending work.
   * @returns A promise that resolves when all work that these events started has completed.
   */
  advance(ms: number): Promise<void> {
    if (typeof ms !== "number") throw new TypeError("the time to advance must be a number of milliseconds");
    if (!(ms >= 0 && ms <= maxMoveMs))
      throw new RangeError(`the time to advance must be 0 to ${maxMoveMs} ms, not ${ms}`);
    this.#moving = this.#moving.then(() => this.#advance(ms));
    return this.#moving;
  }

  async #advance(ms: number): Promise<void> {
    const { clock } = this.#host;
    const target = clock.now() + ms;
    for (await settled(); (clock.nextDueAt ?? Infinity) <= target; await settled())
      clock.advance(Math.max(0, clock.nextDueAt! - clock.now()));
    clock.advance(target - clock.now());
    await settled();
  }

  /**
   * Makes the next call of an operation, or the next `times` calls, fail with an error. The calls do not run. Faults
   * apply in the order in which they were injected. With `Unknown`, the server behaves as if it did not support the call.
   */
  fail(operation: FakeOperation, code: FakeCode, options: FakeFaultOptions = {}): void {
    this.#add(operation, { status: statusOf(code), delayMs: 0 }, options);
  }

  /**
   * Delays the next call of an operation, or the next `times` calls. If a call is cancelled during the delay, it does
   * not run. With a `code`, the calls fail with that error after the delay.
   * @param ms - The delay in milliseconds on the fake server's clock: above 0, at most 31,536,000,000.
   */
  delay(operation: FakeOperation, ms: number, options: FakeFaultOptions & { readonly code?: FakeCode } = {}): void {
    if (typeof ms !== "number") throw new TypeError("the delay must be a number of milliseconds");
    if (!(ms > 0 && ms <= maxMoveMs)) throw new RangeError(`the delay must be above 0 and at most ${maxMoveMs} ms`);
    const { code, ...times } = options;
    this.#add(operation, { status: code === undefined ? null : statusOf(code), delayMs: ms }, times);
  }

  #add(operation: FakeOperation, fault: { status: number | null; delayMs: number }, options: FakeFaultOptions): void {
    requireKnownNames("option", options, ["times"]);
    const { times = 1 } = options;
    requireOperation(operation);
    if (times !== Infinity && !(Number.isInteger(times) && times > 0))
      throw new RangeError(`times must be Infinity or an integer of at least 1, not ${times}`);
    this.#host.faults.add(operation, fault, times);
  }

  /** Removes all injected faults and delays. */
  clearFaults(): void {
    this.#host.faults.clear();
  }

  /** Stops the server. Calls then fail with `Unavailable`, and subscriptions lose their streams. The data is kept. */
  stop(): void {
    this.#host.isStopped = true;
  }

  /** Starts the server again after `stop`. */
  start(): void {
    this.#host.isStopped = false;
  }

  /**
   * Ends the stream of every subscription with an error. Clients resubscribe after a temporary error such as
   * `Unavailable`. An error such as `NotFound` or `PermissionDenied` ends the subscriptions.
   */
  endSubscriptions(code: FakeCode): void {
    this.#host.caches.endSubscriptions(injected(statusOf(code)));
  }

  /** Returns the number of attempts of an operation so far, including failed attempts and retries. */
  count(operation: FakeOperation): number {
    requireOperation(operation);
    return this.#host.counted(operation);
  }
}

function requireOperation(operation: FakeOperation): void {
  if (operation !== "subscribe" && (operation === ("keyExists" as string) || !Object.hasOwn(kinds, operation)))
    throw new RangeError(
      `unknown operation "${operation}"${operation === ("keyExists" as string) ? "; use keysExist" : ""}`,
    );
}

// Waits until all pending promise callbacks have run. Uses the real timer, which tests cannot replace.
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
