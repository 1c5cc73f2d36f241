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
 * Calls a user's hooks safely: if a hook throws or rejects, neither the call nor the process fails. The first exception
 * of each hook is logged, or becomes a process warning if there is no logger. This class also passes events of
 * connections, of subscriptions and of the adaptive limit to the client's log.
 */
export class GuardedHooks {
  readonly #told = new Set<string>();

  constructor(
    private readonly hooks: MetricsHooks,
    private readonly log: ClientLog = new ClientLog(null),
  ) {}

  /** Returns whether there is a hook for the end of calls. If there is none, no report needs to be created. */
  get wantCalls(): boolean {
    return this.hooks.callEnded !== undefined;
  }

  /** Returns whether there is a hook for the start of calls. */
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
    if (this.log.isEnabled) this.log.observerThrew(name, error);
    else
      process.emitWarning(
        `The hook ${name} failed: ${thrownText(error)}. This warning is emitted once.`,
        "LarderWarning",
      );
  }
}
