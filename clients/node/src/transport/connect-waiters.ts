import { type Clock, scheduleInBackground } from "../calls/clock.js";
import { type Failure, Status } from "../client/errors.js";

/** The callers that wait for a connection. */
export class ConnectWaiters {
  readonly #waiters = new Set<(failure: Failure | null) => void>();

  constructor(private readonly clock: Clock) {}

  /** Returns the number of callers that wait. */
  get size(): number {
    return this.#waiters.size;
  }

  /**
   * Waits for a connection.
   * @param refusal - Returns why there is no connection. Null if no attempt has failed.
   * @param connect - Called when the wait has started. The function may end the wait before it returns.
   * @throws Error if there is no connection within `timeoutMs`, or if `finish` passes a failure.
   */
  wait(timeoutMs: number, refusal: () => string | null, connect: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (failure: Failure | null) => {
        timeout.cancel();
        this.#waiters.delete(finish);
        if (failure === null) resolve();
        else reject(new Error(failure.message, { cause: failure.cause }));
      };
      const late = () => {
        const message = refusal() ?? `no connection within ${Math.round(timeoutMs)} ms`;
        finish({ status: Status.deadlineExceeded, message, notExecuted: true });
      };
      const timeout = scheduleInBackground(this.clock, late, timeoutMs);
      this.#waiters.add(finish);
      connect();
    });
  }

  /** Ends all waits. `failure` is null if there is a connection. */
  finish(failure: Failure | null): void {
    for (const finish of this.#waiters) finish(failure);
  }
}
