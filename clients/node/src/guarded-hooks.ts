import type { CallReport, CapEvent, ConnectionEvent, MetricsHooks, SubscriptionChange } from "./metrics.js";
import { thrownText } from "./thrown-text.js";

/**
 * A user's hooks behind a guard: what one throws, at once or in a promise, ends no call and no process. The first fault
 * of each hook is told as a process warning.
 */
export class GuardedHooks {
  readonly #told = new Set<string>();

  constructor(private readonly hooks: MetricsHooks) {}

  /** Whether anybody listens to calls: a report need not be made for nobody. */
  get wantCalls(): boolean {
    return this.hooks.callEnded !== undefined;
  }

  callEnded(report: CallReport): void {
    this.#run("callEnded", report);
  }
  connectionChanged(event: ConnectionEvent): void {
    this.#run("connectionChanged", event);
  }
  subscriptionChanged(event: SubscriptionChange): void {
    this.#run("subscriptionChanged", event);
  }
  capChanged(event: CapEvent): void {
    this.#run("capChanged", event);
  }

  #run(name: keyof MetricsHooks, event: object): void {
    try {
      const outcome: unknown = (this.hooks[name] as ((event: object) => unknown) | undefined)?.(event);
      if (outcome instanceof Promise) outcome.catch((error: unknown) => this.#tell(name, error));
    } catch (error) {
      this.#tell(name, error);
    }
  }

  #tell(name: string, error: unknown): void {
    if (this.#told.has(name)) return;
    this.#told.add(name);
    process.emitWarning(`the ${name} hook failed, which is told once: ${thrownText(error)}`, "LarderWarning");
  }
}
