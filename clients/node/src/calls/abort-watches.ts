/** The members that one abort signal cancels, for example calls. All members share one listener on the signal. */
export class AbortWatch<M> {
  readonly #members = new Set<M>();
  readonly #listener: () => void;

  constructor(
    readonly signal: AbortSignal,
    private readonly unwatched: () => void,
    aborted: (member: M, signal: AbortSignal) => void,
  ) {
    this.#listener = () => {
      for (const member of [...this.#members]) aborted(member, signal);
    };
    signal.addEventListener("abort", this.#listener);
  }

  add(member: M): void {
    this.#members.add(member);
  }

  /** Removes a member that has ended. If it is the last member, the listener is removed from the signal. */
  remove(member: M): void {
    if (!this.#members.delete(member) || this.#members.size > 0) return;
    this.unwatched();
    this.signal.removeEventListener("abort", this.#listener);
  }
}

/**
 * The abort signals that callers passed. Each signal has one listener, however many calls the signal can cancel. The
 * number of signals is bounded by the number of calls.
 */
export class AbortWatches<M> {
  readonly #watches = new Map<AbortSignal, AbortWatch<M>>();

  constructor(private readonly aborted: (member: M, signal: AbortSignal) => void) {}

  /** Returns the number of signals that have a listener. */
  get size(): number {
    return this.#watches.size;
  }

  /**
   * Cancels the member when the signal aborts, unless the member is removed first.
   * @throws Only exceptions that the signal's own methods throw.
   */
  add(signal: AbortSignal, member: M): AbortWatch<M> {
    let watch = this.#watches.get(signal);
    if (watch === undefined) {
      watch = new AbortWatch(signal, () => this.#watches.delete(signal), this.aborted);
      this.#watches.set(signal, watch);
    }
    watch.add(member);
    return watch;
  }
}
