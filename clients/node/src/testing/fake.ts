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

/** Settings of a `FakeServer`. */
export interface FakeServerOptions extends Partial<FakeLimits> {
  /** Names of the caches that there are from the start. Default `["cache"]`, as a server has them. */
  readonly caches?: readonly string[] | undefined;
}

/** Settings of an injected fault. */
export interface FakeFaultOptions {
  /** How many calls it happens to: 1 or more, or Infinity. Default 1. */
  readonly times?: number | undefined;
}

/** What a client of a fake is made of; each has a default. */
export type FakeClientOptions = Partial<Omit<CacheClientOptions, "credentials">>;

const optionNames = ["caches", "maxTtlMs", "maxTopics", "maxTopicSubscribers"];
const clientOptionNames = ["configuration", "defaultTtlMs", "metrics", "logger"];
const defaultTtlMs = 60_000;
// 365 days: a time to live has no more.
const maxMoveMs = 31_536_000_000;

/**
 * A Larder server in the test's own process: `const client = new FakeServer().client()` is a whole `CacheClient`, of which
 * only the server is not there. It answers each call as `protocol/spec` says, without a network, a process or a wait. Its
 * time stands still until `advance` moves it: times to live, deadlines, back-offs and the heartbeats of topics go by it.
 * Clients of one fake see the same caches. It checks no tokens, evicts nothing, and has no near copies.
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

  /** For a program that makes its client itself: `new CacheClient({ credentials: fake.credentials, … })`. */
  readonly credentials: CredentialProvider;

  /**
   * Another client of this server. By default its times to live are 60 s, its deadline is `Configurations.Laptop`'s, and it
   * sends nothing again, so that an injected failure is what its caller sees.
   */
  client(options: FakeClientOptions = {}): CacheClient {
    requireKnownNames("option", options, clientOptionNames);
    const configuration = options.configuration ?? withSettings(Configurations.Laptop.latest(), { maxRetries: 0 });
    return new CacheClient({ defaultTtlMs, ...options, configuration, credentials: this.credentials });
  }

  /** Milliseconds on the fake's clock, which begins at 0. */
  get nowMs(): number {
    return this.#host.clock.now();
  }

  /**
   * Moves the time on by so many milliseconds, 0 … 31,536,000,000: what comes due meanwhile happens at its own time and in
   * order. Resolves once what follows from it has happened. 0: lets happen what is under way.
   */
  advance(ms: number): Promise<void> {
    if (typeof ms !== "number") throw new TypeError("the time is moved by a number of milliseconds");
    if (!(ms >= 0 && ms <= maxMoveMs)) throw new RangeError(`the time is moved by 0 to ${maxMoveMs} ms, not ${ms}`);
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

  /** The next calls of an operation are not carried out: they answer an error. After what was asked for before. */
  fail(operation: FakeOperation, code: FakeCode, options: FakeFaultOptions = {}): void {
    this.#add(operation, { status: statusOf(code), delayMs: 0 }, options);
  }

  /**
   * The next calls of an operation are carried out only once so many milliseconds have passed on the fake's clock, and not
   * at all where their caller has given up by then. With a `code` they answer that error then.
   */
  delay(operation: FakeOperation, ms: number, options: FakeFaultOptions & { readonly code?: FakeCode } = {}): void {
    if (typeof ms !== "number") throw new TypeError("the delay must be a number of milliseconds");
    if (!(ms > 0 && ms <= maxMoveMs)) throw new RangeError(`the delay must be over 0 and at most ${maxMoveMs} ms`);
    const { code, ...times } = options;
    this.#add(operation, { status: code === undefined ? null : statusOf(code), delayMs: ms }, times);
  }

  #add(operation: FakeOperation, fault: { status: number | null; delayMs: number }, options: FakeFaultOptions): void {
    requireKnownNames("option", options, ["times"]);
    const { times = 1 } = options;
    requireOperation(operation);
    if (times !== Infinity && !(Number.isInteger(times) && times > 0))
      throw new RangeError(`a fault happens to 1 call or more, not ${times}`);
    this.#host.faults.add(operation, fault, times);
  }

  /** Nothing happens to calls any more that was asked for. */
  clearFaults(): void {
    this.#host.faults.clear();
  }

  /** The server goes away: every call fails with `Unavailable`, and subscriptions lose their streams. What it holds stays. */
  stop(): void {
    this.#host.isAway = true;
  }

  /** The server is there again. */
  start(): void {
    this.#host.isAway = false;
  }

  /** Every subscription's stream ends with an error; after `Unavailable` clients ask for it again. */
  endSubscriptions(code: FakeCode): void {
    this.#host.caches.endSubscriptions(injected(statusOf(code)));
  }

  /** How often an operation was asked for so far, attempts that failed included; a call sent again counts again. */
  count(operation: FakeOperation): number {
    requireOperation(operation);
    return this.#host.counted(operation);
  }
}

function requireOperation(operation: FakeOperation): void {
  if (operation !== "subscribe" && (operation === ("keyExists" as string) || !Object.hasOwn(kinds, operation)))
    throw new RangeError(
      `there is no operation "${operation}"${operation === ("keyExists" as string) ? ": it is keysExist" : ""}`,
    );
}

// The timer of before any test replaced it: after it, every promise that could be has been settled.
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
