import type { Call } from "../calls/call.js";
import { type Clock, scheduleInBackground } from "../calls/clock.js";
import { clearTimeout, microtask, outsideRequests, startTimer } from "../calls/system-timers.js";
import { type Failure, Status } from "../client/errors.js";
import type { Configuration } from "../configuration/configuration.js";
import type { CredentialProvider } from "../configuration/credential-provider.js";
import { mostFronts } from "../configuration/credential-provider.js";
import type { NearCache } from "../near/near-cache.js";
import type { GuardedHooks } from "../telemetry/guarded-hooks.js";
import type { FrontStatistics } from "../telemetry/metrics.js";
import { chooseFront } from "./front-choice.js";
import { FrontHealth } from "./front-health.js";
import { frontsOf, type Names } from "./front-names.js";
import type { FrontTransport, Transport } from "./transport.js";

/** What a set of fronts works with. */
export interface FrontSetParts {
  readonly credentials: CredentialProvider;
  readonly configuration: Pick<Configuration, "maxBackOffMs" | "requestTimeoutMs">;
  /** Makes a front's transport. */
  readonly make: (front: CredentialProvider) => FrontTransport;
  readonly clock: Clock;
  readonly hooks: GuardedHooks;
  readonly random: () => number;
  readonly names: Names;
  /** Copies of what gets have read; null: none are kept. */
  readonly near?: NearCache | null;
  /** There are other fronts than before. */
  readonly changed: () => void;
}

interface Front {
  readonly credentials: CredentialProvider;
  readonly name: string;
  readonly transport: FrontTransport;
  readonly health: FrontHealth;
  /** It is being connected in the background. */
  connecting: boolean;
  /** Its address is gone. */
  gone: boolean;
  /** It was told of as left out. */
  told: boolean;
}

// As one server's: calls wait that long for a front, then they fail at once (RETRY-9).
const graceMs = 2_000;
// A front that cannot be connected tries again by itself; it is asked after it that often.
const askMs = 100;

/**
 * Several servers that hold the same items (protocol/spec/fronts.md): a transport for each, and for each attempt the
 * choice among those that are up. A call that finds none up waits here, and not with one of them: the first that is there has it.
 */
export class FrontSet implements Transport {
  #fronts: readonly Front[];
  // What had the calls while there was one server, and fronts whose address is gone.
  readonly #leaving = new Set<FrontTransport>();
  readonly #resolved = new Map<CredentialProvider, readonly string[]>();
  readonly #waiting = new Set<Call>();
  readonly #connectWaiters = new Set<(failure: Failure | null) => void>();
  #downSince = 0;
  #lastMessage = "";
  #closed = false;
  #nextLookup: NodeJS.Timeout | null = null;
  #lookingUp = false;

  constructor(private readonly parts: FrontSetParts) {
    this.#fronts = parts.credentials.fronts().map((front) => this.#front(front));
    if (this.#given().some(({ hostName }) => hostName !== null)) this.#lookUpIn(0);
  }

  get connections(): number {
    let open = 0;
    for (const { transport } of this.#fronts) open += transport.connections;
    for (const transport of this.#leaving) open += transport.connections;
    return open;
  }

  /** The servers as they are now. */
  get servers(): readonly CredentialProvider[] {
    return this.#fronts.map(({ credentials }) => credentials);
  }

  get pipelined(): boolean {
    return this.#fronts.some(({ transport }) => transport.pipelined);
  }

  get refusal(): string | null {
    return this.#downSince === 0 || this.#anyUp() ? null : this.#reason();
  }

  describe(): string {
    return this.#fronts.map(({ name, transport }) => `${name} ${transport.describe()}`).join("; ");
  }

  /** What is held of each front, in the order given. */
  statistics(): readonly FrontStatistics[] {
    return this.#fronts.map(({ name, transport }) => ({
      address: name,
      connections: transport.connections,
      inFlight: transport.inFlight,
      leftOut: !transport.ready,
    }));
  }

  send(call: Call): void {
    const front = this.#choose(call);
    if (front === null) this.#wait(call);
    else {
      call.front = front;
      front.transport.send(call);
    }
  }

  abandon(call: Call): void {
    if (call.handle === this) {
      this.#waiting.delete(call);
      call.handle = null;
      return;
    }
    const front = call.front as Front | undefined;
    if (front !== undefined) front.transport.abandon(call);
    else for (const transport of this.#leaving) transport.abandon(call);
  }

  /** An attempt failed. Only that no front is up makes another attempt hopeless. */
  judged(call: Call, failure: Failure): Failure {
    const front = call.front as Front | undefined;
    if (front === undefined) return failure;
    if (failure.cause === "not_executed") front.health.refused(this.parts.clock.now(), this.parts.random);
    return failure.unreachable === true ? { ...failure, unreachable: false } : failure;
  }

  connect(timeoutMs: number): Promise<void> {
    this.#connectAll();
    if (this.#anyUp()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const finish = (failure: Failure | null) => {
        timeout.cancel();
        this.#connectWaiters.delete(finish);
        if (failure === null) resolve();
        else reject(new Error(failure.message, { cause: failure.cause }));
      };
      const timeout = scheduleInBackground(this.parts.clock, () => finish(this.#unreachable()), timeoutMs);
      this.#connectWaiters.add(finish);
    });
  }

  close(): void {
    this.#closed = true;
    if (this.#nextLookup !== null) clearTimeout(this.#nextLookup);
    for (const finish of this.#connectWaiters) finish(this.#unreachable("the client was closed"));
    for (const { transport } of this.#fronts) transport.close();
    for (const transport of this.#leaving) transport.close();
  }

  /** Takes over what had the calls while there was one server: they are still answered there. */
  adopt(before: FrontTransport): void {
    this.#letGo(before);
  }

  // The choice.

  #choose(call: Call): Front | null {
    const now = this.parts.clock.now();
    const up: Front[] = [];
    const aside: Front[] = [];
    for (const front of this.#fronts) {
      if (!front.transport.ready) this.#connect(front);
      else if (front.health.asideUntilMs > now) aside.push(front);
      else up.push(front);
    }
    if (this.parts.near && call.attempts === 1 && this.parts.near.wants(call.operation)) {
      const near = up.find(({ transport }) => transport.isNear);
      if (near !== undefined) return near;
    }
    let some = up.length > 0 ? up : aside;
    if (call.attempts > 1 && some.length > 1) some = some.filter((front) => front !== call.front);
    if (some.length < 2) return some[0] ?? null;
    const { random } = this.parts;
    const inFlight = some.map(({ transport }) => transport.inFlight);
    return some[chooseFront(inFlight, [random(), random()])]!;
  }

  #anyUp(): boolean {
    return this.#fronts.some(({ transport }) => transport.ready);
  }

  // Fronts that are left out.

  #wait(call: Call): void {
    call.handle = this;
    delete call.front;
    this.#waiting.add(call);
    this.#connectAll();
    if (this.#pastGrace()) microtask(() => this.#pastGrace() && this.#failWaiting(this.#unreachable()));
  }

  #connectAll(): void {
    for (const front of this.#fronts) if (!front.transport.ready) this.#connect(front);
  }

  #connect(front: Front): void {
    if (front.connecting || this.#closed) return;
    front.connecting = true;
    // It retries until the front is connected, so it must not keep a request's context.
    void outsideRequests(() => this.#bringUp(front));
  }

  async #bringUp(front: Front): Promise<void> {
    const { clock, hooks } = this.parts;
    const { transport } = front;
    while (!this.#closed && !front.gone) {
      const asideMs = front.health.asideUntilMs - clock.now();
      if (asideMs > 0) await this.#pause(asideMs);
      const soon = this.#pause(askMs);
      const why = await transport.connect(askMs).then(
        () => null,
        (error: unknown) => (error as Error).message,
      );
      if (transport.ready || this.#closed) break;
      const { streamRefusal } = transport;
      if (streamRefusal !== null) front.health.refused(clock.now(), this.parts.random);
      // Why a unary channel has no connection is not known, only that it has none.
      const reason = streamRefusal?.message ?? transport.refusal ?? (transport.pipelined ? null : why);
      if (reason !== null && !front.told) {
        front.told = true;
        hooks.connectionChanged({ kind: "frontLeftOut", message: `${front.name}: ${reason}`, endpoint: front.name });
      }
      this.#judge(reason, why);
      await soon;
    }
    front.connecting = false;
    if (!transport.ready || this.#closed) return;
    if (front.told) hooks.connectionChanged({ kind: "frontUp", message: front.name, endpoint: front.name });
    front.told = false;
    this.#downSince = 0;
    this.#cameUp();
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => scheduleInBackground(this.parts.clock, resolve, ms));
  }

  #cameUp(): void {
    for (const finish of this.#connectWaiters) finish(null);
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const call of waiting) {
      if (call.handle !== this) continue;
      call.handle = null;
      try {
        this.send(call);
      } catch (error) {
        const message = `its key or value cannot be sent: ${(error as Error).message}`;
        call.owner.failed(call, { status: Status.invalidArgument, message, cause: error, notExecuted: true });
      }
    }
  }

  // A front could not be connected: what becomes of the calls that wait?
  #judge(reason: string | null, why: string | null): void {
    if (this.#anyUp()) return;
    if (reason !== null) {
      this.#lastMessage = reason;
      if (this.#downSince === 0) this.#downSince = this.parts.clock.now();
      if (this.#nextLookup !== null && !this.#lookingUp) this.#lookUpIn(this.parts.names.pauseMs);
    } else if (this.#lastMessage === "" && why !== null) this.#lastMessage = why;
    const refusals = this.#fronts.map(({ transport }) => transport.streamRefusal);
    const [first] = refusals;
    if (first !== null && first !== undefined && refusals.every((each) => each !== null)) this.#failWaiting(first);
    else if (this.#pastGrace()) this.#failWaiting(this.#unreachable());
  }

  #failWaiting(failure: Failure): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const finish of this.#connectWaiters) finish(failure);
    for (const call of waiting) {
      if (call.handle !== this) continue;
      call.handle = null;
      call.owner.failed(call, { ...failure, notExecuted: true, unreachable: true });
    }
  }

  #reason(): string {
    return `no front is up: ${this.#lastMessage}`;
  }

  #unreachable(message = this.#reason()): Failure {
    return { status: Status.unavailable, message, notExecuted: true, unreachable: true };
  }

  #pastGrace(): boolean {
    return this.#downSince !== 0 && this.parts.clock.now() - this.#downSince > graceMs;
  }

  // Names.

  #given(): readonly CredentialProvider[] {
    return this.parts.credentials.fronts();
  }

  // No reason for a process to go on.
  #lookUpIn(ms: number): void {
    if (this.#nextLookup !== null) clearTimeout(this.#nextLookup);
    if (!this.#closed) this.#nextLookup = startTimer(() => void this.#lookUp(), ms).unref();
  }

  async #lookUp(): Promise<void> {
    this.#lookingUp = true;
    for (const given of this.#given()) {
      if (given.hostName === null) continue;
      try {
        const found = await this.parts.names.resolve(given.hostName);
        if (found.length > 0) this.#resolved.set(given, frontsOf(found));
      } catch {
        // It stands for what it stood for; a try to connect says why where that fails too.
      }
    }
    this.#lookingUp = false;
    if (this.#closed) return;
    this.#apply();
    this.#lookUpIn(this.parts.names.everyMs);
  }

  #apply(): void {
    const wanted = this.#given().flatMap((given) => {
      const addresses = this.#resolved.get(given) ?? [];
      return addresses.length === 0 ? [given] : addresses.map((address) => given.at(address));
    });
    const before = new Map(this.#fronts.map((front) => [front.name, front]));
    const after = wanted.slice(0, mostFronts).map((each) => {
      const there = before.get(each.toString());
      before.delete(each.toString());
      return there ?? this.#front(each);
    });
    if (before.size === 0 && after.length === this.#fronts.length) return;
    this.#fronts = after;
    for (const front of before.values()) {
      front.gone = true;
      this.#letGo(front.transport);
    }
    this.parts.changed();
    if (this.#waiting.size > 0) this.#connectAll();
  }

  // Its calls are answered, or their deadline passes.
  #letGo(transport: FrontTransport): void {
    this.#leaving.add(transport);
    const { clock, configuration } = this.parts;
    const until = clock.now() + configuration.requestTimeoutMs;
    const look = (): void => {
      if (this.#closed) return;
      if (transport.inFlight > 0 && clock.now() < until) {
        scheduleInBackground(clock, look, askMs);
        return;
      }
      this.#leaving.delete(transport);
      transport.close();
    };
    look();
  }

  #front(credentials: CredentialProvider): Front {
    const health = new FrontHealth(this.parts.configuration.maxBackOffMs);
    const transport = this.parts.make(credentials);
    const name = credentials.toString();
    return { credentials, name, transport, health, connecting: false, gone: false, told: false };
  }
}
