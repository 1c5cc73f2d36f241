import type { Call } from "../calls/call.js";
import { type Clock, scheduleInBackground } from "../calls/clock.js";
import { clearTimeout, microtask, outsideRequestContext, startTimer } from "../calls/system-timers.js";
import { type Failure, Status } from "../client/errors.js";
import type { Configuration } from "../configuration/configuration.js";
import type { CredentialProvider } from "../configuration/credential-provider.js";
import { maxGateways } from "../configuration/credential-provider.js";
import type { NearCache } from "../near/near-cache.js";
import type { GuardedHooks } from "../telemetry/guarded-hooks.js";
import type { GatewayStatistics } from "../telemetry/metrics.js";
import { chooseGateway } from "./gateway-choice.js";
import { GatewayHealth } from "./gateway-health.js";
import { gatewayAddresses, type ResolverSettings } from "./gateway-resolver.js";
import type { GatewayTransport, Transport } from "./transport.js";

/** The objects that a gateway set depends on. */
export interface GatewaySetParts {
  readonly credentials: CredentialProvider;
  readonly configuration: Pick<Configuration, "maxBackOffMs" | "requestTimeoutMs">;
  /** Creates the transport of a gateway. */
  readonly make: (gateway: CredentialProvider) => GatewayTransport;
  readonly clock: Clock;
  readonly hooks: GuardedHooks;
  readonly random: () => number;
  readonly names: ResolverSettings;
  /** The local copies of values. Null if there is no near cache. */
  readonly near?: NearCache | null;
  /** Called when the set of gateways has changed. */
  readonly changed: () => void;
}

interface Gateway {
  readonly credentials: CredentialProvider;
  readonly name: string;
  readonly transport: GatewayTransport;
  readonly health: GatewayHealth;
  /** Whether the gateway is being connected in the background. */
  connecting: boolean;
  /** Whether the gateway's address has been removed. */
  isRemoved: boolean;
  /** Whether the removal of the gateway from rotation has been reported. */
  isReported: boolean;
}

// Calls wait up to this time for a gateway. After this time they fail immediately (RETRY-9). It is the same time as for
// a single server.
const graceMs = 2_000;
// Interval between checks of a gateway to which the client cannot connect. The gateway's transport retries by itself.
const pollMs = 100;

/**
 * Several servers with the same items (protocol/spec/gateways.md). Each server has its own transport. Each attempt
 * chooses a gateway that is up. If no gateway is up, calls wait in the set and not at a gateway. As a result, the first
 * gateway that becomes available gets the waiting calls.
 */
export class GatewaySet implements Transport {
  #gateways: readonly Gateway[];
  // Transports that are being closed. They belonged to gateways that were removed, or to the single server that the
  // client used before there were several gateways.
  readonly #closingTransports = new Set<GatewayTransport>();
  readonly #resolved = new Map<CredentialProvider, readonly string[]>();
  readonly #waiting = new Set<Call>();
  readonly #connectWaiters = new Set<(failure: Failure | null) => void>();
  #downSince = 0;
  #lastMessage = "";
  #closed = false;
  #nextLookup: NodeJS.Timeout | null = null;
  #lookingUp = false;

  constructor(private readonly parts: GatewaySetParts) {
    this.#gateways = parts.credentials.gateways().map((gateway) => this.#gateway(gateway));
    if (this.#configured().some(({ hostName }) => hostName !== null)) this.#lookUpIn(0);
  }

  get connections(): number {
    let open = 0;
    for (const { transport } of this.#gateways) open += transport.connections;
    for (const transport of this.#closingTransports) open += transport.connections;
    return open;
  }

  /** Returns the current servers of the set. */
  get servers(): readonly CredentialProvider[] {
    return this.#gateways.map(({ credentials }) => credentials);
  }

  get pipelined(): boolean {
    return this.#gateways.some(({ transport }) => transport.pipelined);
  }

  get refusal(): string | null {
    return this.#downSince === 0 || this.#anyUp() ? null : this.#reason();
  }

  describe(): string {
    return this.#gateways.map(({ name, transport }) => `${name} ${transport.describe()}`).join("; ");
  }

  /** Returns the statistics of each gateway, in the configured order. */
  statistics(): readonly GatewayStatistics[] {
    return this.#gateways.map(({ name, transport }) => ({
      address: name,
      connections: transport.connections,
      inFlight: transport.inFlight,
      leftOut: !transport.ready,
    }));
  }

  send(call: Call): void {
    const gateway = this.#choose(call);
    if (gateway === null) this.#wait(call);
    else {
      call.gateway = gateway;
      gateway.transport.send(call);
    }
  }

  abandon(call: Call): void {
    if (call.handle === this) {
      this.#waiting.delete(call);
      call.handle = null;
      return;
    }
    const gateway = call.gateway as Gateway | undefined;
    if (gateway !== undefined) gateway.transport.abandon(call);
    else for (const transport of this.#closingTransports) transport.abandon(call);
  }

  /**
   * Adjusts the failure of an attempt. If the attempt's gateway was unreachable, the call may be retried, because
   * another gateway may be reachable. If no gateway was up, the call is not retried.
   */
  adjustFailure(call: Call, failure: Failure): Failure {
    const gateway = call.gateway as Gateway | undefined;
    if (gateway === undefined) return failure;
    if (failure.cause === "not_executed") gateway.health.refused(this.parts.clock.now(), this.parts.random);
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
    for (const { transport } of this.#gateways) transport.close();
    for (const transport of this.#closingTransports) transport.close();
  }

  /**
   * Takes over the transport that was used while there was only one server. Closes it when its calls have ended, or
   * when their deadlines have passed.
   */
  takeOver(before: GatewayTransport): void {
    this.#closeWhenIdle(before);
  }

  // Methods that choose a gateway.

  #choose(call: Call): Gateway | null {
    const now = this.parts.clock.now();
    const up: Gateway[] = [];
    const aside: Gateway[] = [];
    for (const gateway of this.#gateways) {
      if (!gateway.transport.ready) this.#connect(gateway);
      else if (gateway.health.asideUntilMs > now) aside.push(gateway);
      else up.push(gateway);
    }
    if (this.parts.near && call.attempts === 1 && this.parts.near.selects(call.operation)) {
      const near = up.find(({ transport }) => transport.isNear);
      if (near !== undefined) return near;
    }
    let some = up.length > 0 ? up : aside;
    if (call.attempts > 1 && some.length > 1) some = some.filter((gateway) => gateway !== call.gateway);
    if (some.length < 2) return some[0] ?? null;
    const { random } = this.parts;
    const inFlight = some.map(({ transport }) => transport.inFlight);
    return some[chooseGateway(inFlight, [random(), random()])]!;
  }

  #anyUp(): boolean {
    return this.#gateways.some(({ transport }) => transport.ready);
  }

  // Methods for waiting calls, and for gateways that are not in rotation.

  #wait(call: Call): void {
    call.handle = this;
    delete call.gateway;
    this.#waiting.add(call);
    this.#connectAll();
    if (this.#pastGrace()) microtask(() => this.#pastGrace() && this.#failWaiting(this.#unreachable()));
  }

  #connectAll(): void {
    for (const gateway of this.#gateways) if (!gateway.transport.ready) this.#connect(gateway);
  }

  #connect(gateway: Gateway): void {
    if (gateway.connecting || this.#closed) return;
    gateway.connecting = true;
    // Leave the request's context. The retries continue until the gateway is connected, so they would keep the context
    // alive.
    void outsideRequestContext(() => this.#connectWithRetries(gateway));
  }

  async #connectWithRetries(gateway: Gateway): Promise<void> {
    const { clock, hooks } = this.parts;
    const { transport } = gateway;
    while (!this.#closed && !gateway.isRemoved) {
      const asideMs = gateway.health.asideUntilMs - clock.now();
      if (asideMs > 0) await this.#pause(asideMs);
      const soon = this.#pause(pollMs);
      const why = await transport.connect(pollMs).then(
        () => null,
        (error: unknown) => (error as Error).message,
      );
      if (transport.ready || this.#closed) break;
      const { streamRefusal } = transport;
      if (streamRefusal !== null) gateway.health.refused(clock.now(), this.parts.random);
      // A unary channel does not report why it has no connection. Use the error of the failed attempt instead.
      const reason = streamRefusal?.message ?? transport.refusal ?? (transport.pipelined ? null : why);
      if (reason !== null && !gateway.isReported) {
        gateway.isReported = true;
        hooks.connectionChanged({
          kind: "gatewayLeftOut",
          message: `${gateway.name}: ${reason}`,
          endpoint: gateway.name,
        });
      }
      this.#handleFailedAttempt(reason, why);
      await soon;
    }
    gateway.connecting = false;
    if (!transport.ready || this.#closed) return;
    if (gateway.isReported)
      hooks.connectionChanged({ kind: "gatewayUp", message: gateway.name, endpoint: gateway.name });
    gateway.isReported = false;
    this.#downSince = 0;
    this.#sendWaiting();
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => scheduleInBackground(this.parts.clock, resolve, ms));
  }

  #sendWaiting(): void {
    for (const finish of this.#connectWaiters) finish(null);
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const call of waiting) {
      if (call.handle !== this) continue;
      call.handle = null;
      try {
        this.send(call);
      } catch (error) {
        const message = `the key or value cannot be sent: ${(error as Error).message}`;
        call.owner.failed(call, { status: Status.invalidArgument, message, cause: error, notExecuted: true });
      }
    }
  }

  // Decides whether waiting calls fail, after an attempt to connect a gateway has failed.
  #handleFailedAttempt(reason: string | null, why: string | null): void {
    if (this.#anyUp()) return;
    if (reason !== null) {
      this.#lastMessage = reason;
      if (this.#downSince === 0) this.#downSince = this.parts.clock.now();
      if (this.#nextLookup !== null && !this.#lookingUp) this.#lookUpIn(this.parts.names.pauseMs);
    } else if (this.#lastMessage === "" && why !== null) this.#lastMessage = why;
    const refusals = this.#gateways.map(({ transport }) => transport.streamRefusal);
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
    return `no gateway is available: ${this.#lastMessage}`;
  }

  #unreachable(message = this.#reason()): Failure {
    return { status: Status.unavailable, message, notExecuted: true, unreachable: true };
  }

  #pastGrace(): boolean {
    return this.#downSince !== 0 && this.parts.clock.now() - this.#downSince > graceMs;
  }

  // Methods that resolve host names.

  #configured(): readonly CredentialProvider[] {
    return this.parts.credentials.gateways();
  }

  // Schedules the next lookup. Lookups do not keep the process alive.
  #lookUpIn(ms: number): void {
    if (this.#nextLookup !== null) clearTimeout(this.#nextLookup);
    if (!this.#closed) this.#nextLookup = startTimer(() => void this.#lookUp(), ms).unref();
  }

  async #lookUp(): Promise<void> {
    this.#lookingUp = true;
    for (const given of this.#configured()) {
      if (given.hostName === null) continue;
      try {
        const found = await this.parts.names.resolve(given.hostName);
        if (found.length > 0) this.#resolved.set(given, gatewayAddresses(found));
      } catch {
        // Keep the previous addresses. If connecting fails too, its failure reports the reason.
      }
    }
    this.#lookingUp = false;
    if (this.#closed) return;
    this.#apply();
    this.#lookUpIn(this.parts.names.everyMs);
  }

  #apply(): void {
    const wanted = this.#configured().flatMap((given) => {
      const addresses = this.#resolved.get(given) ?? [];
      return addresses.length === 0 ? [given] : addresses.map((address) => given.at(address));
    });
    const before = new Map(this.#gateways.map((gateway) => [gateway.name, gateway]));
    const after = wanted.slice(0, maxGateways).map((each) => {
      const there = before.get(each.toString());
      before.delete(each.toString());
      return there ?? this.#gateway(each);
    });
    if (before.size === 0 && after.length === this.#gateways.length) return;
    this.#gateways = after;
    for (const gateway of before.values()) {
      gateway.isRemoved = true;
      this.#closeWhenIdle(gateway.transport);
    }
    this.parts.changed();
    if (this.#waiting.size > 0) this.#connectAll();
  }

  // Closes a transport when its calls have got their responses, or when their deadlines have passed.
  #closeWhenIdle(transport: GatewayTransport): void {
    this.#closingTransports.add(transport);
    const { clock, configuration } = this.parts;
    const until = clock.now() + configuration.requestTimeoutMs;
    const look = (): void => {
      if (this.#closed) return;
      if (transport.inFlight > 0 && clock.now() < until) {
        scheduleInBackground(clock, look, pollMs);
        return;
      }
      this.#closingTransports.delete(transport);
      transport.close();
    };
    look();
  }

  #gateway(credentials: CredentialProvider): Gateway {
    const health = new GatewayHealth(this.parts.configuration.maxBackOffMs);
    const transport = this.parts.make(credentials);
    const name = credentials.toString();
    return { credentials, name, transport, health, connecting: false, isRemoved: false, isReported: false };
  }
}
