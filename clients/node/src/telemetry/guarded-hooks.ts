import { types } from "node:util";
import { thrownText } from "../client/thrown-text.js";
import { ClientLog } from "./client-log.js";
import type {
  CallReport,
  CallStart,
  CapEvent,
  ClientFigures,
  ConnectionEvent,
  MetricsHooks,
  SubscriptionChange,
} from "./metrics.js";

/**
 * A user's hooks behind a guard, and the client's log, which hears what they do of connections, subscriptions and the cap.
 * What a hook throws, at once or in a promise, ends no call and no process; the first fault of each is told to the logger,
 * and without one as a process warning.
 */
export class GuardedHooks {
  readonly #told = new Set<string>();

  constructor(
    private readonly hooks: MetricsHooks,
    private readonly log: ClientLog = new ClientLog(null),
  ) {}

  /** Whether anybody listens to calls: a report need not be made for nobody. */
  get wantCalls(): boolean {
    return this.hooks.callEnded !== undefined;
  }

  /** Whether anybody listens to calls that begin. */
  get wantStarts(): boolean {
    return this.hooks.callStarted !== undefined;
  }

  callStarted(call: CallStart): unknown {
    return this.#run("callStarted", call);
  }
  callEnded(report: CallReport, started: unknown): void {
    this.#run("callEnded", report, started);
  }
  clientOpened(client: ClientFigures): void {
    this.#run("clientOpened", client);
  }
  clientClosed(client: ClientFigures): void {
    this.#run("clientClosed", client);
  }
  connectionChanged(event: ConnectionEvent): void {
    this.log.connectionChanged(event);
    this.#run("connectionChanged", event);
  }
  subscriptionChanged(event: SubscriptionChange): void {
    this.log.subscriptionChanged(event);
    this.#run("subscriptionChanged", event);
  }
  capChanged(event: CapEvent): void {
    this.log.capChanged(event);
    this.#run("capChanged", event);
  }

  #run(name: keyof MetricsHooks, event: object, started?: unknown): unknown {
    try {
      const outcome = (this.hooks[name] as ((event: object, started: unknown) => unknown) | undefined)?.(
        event,
        started,
      );
      if (types.isPromise(outcome)) outcome.catch((error: unknown) => this.#tell(name, error));
      return outcome;
    } catch (error) {
      this.#tell(name, error);
      return undefined;
    }
  }

  #tell(name: string, error: unknown): void {
    if (this.#told.has(name)) return;
    this.#told.add(name);
    if (this.log.isRead) this.log.observerThrew(name, error);
    else process.emitWarning(`the ${name} hook failed, which is told once: ${thrownText(error)}`, "LarderWarning");
  }
}
