/** What one signal may end, and the one listener that waits for it. */
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

  /** The member has ended; with the last one the watch goes. */
  leave(member: M): void {
    if (!this.#members.delete(member) || this.#members.size > 0) return;
    this.unwatched();
    this.signal.removeEventListener("abort", this.#listener);
  }
}

/** The signals that callers gave, each listened to once however many calls it may end. Bounded by the calls. */
export class AbortWatches<M> {
  readonly #watches = new Map<AbortSignal, AbortWatch<M>>();

  constructor(private readonly aborted: (member: M, signal: AbortSignal) => void) {}

  /** Signals that are listened to. */
  get size(): number {
    return this.#watches.size;
  }

  /** Has the signal end the member, until that leaves the watch. Throws what the signal throws. */
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
