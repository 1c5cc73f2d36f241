/** The result that ends an iteration. */
type Done = IteratorReturnResult<undefined>;

// Maximum number and maximum total size of the decoded events that the caller has not read yet.
const maxEvents = 256;
const maxBytes = 4 << 20;

/**
 * Buffers events between a stream and the caller that reads the events. The buffer is full when it contains 256 events
 * or 4 MiB. The stream must then pause after the current message. Waiting callers get their events in the order of
 * their calls.
 */
export class EventBuffer<E> {
  #events: { readonly event: E; readonly sizeBytes: number }[] = [];
  #bytes = 0;
  #ended = false;
  readonly #readers: ((result: IteratorResult<E, undefined>) => void)[] = [];

  /**
   * Creates an empty buffer.
   * @param drained - Called after an event was read, if the buffer is then at most half full.
   */
  constructor(private readonly drained: () => void) {}

  get isFull(): boolean {
    return this.#events.length >= maxEvents || this.#bytes >= maxBytes;
  }

  /** Returns the number of unread events. */
  get length(): number {
    return this.#events.length;
  }

  push(event: E, sizeBytes: number): void {
    if (this.#ended) return;
    const reader = this.#readers.shift();
    if (reader !== undefined) {
      reader({ done: false, value: event });
      return;
    }
    this.#events.push({ event, sizeBytes });
    this.#bytes += sizeBytes;
  }

  /** Returns a promise that resolves to the next event, or to the end of the iteration. */
  next(): Promise<IteratorResult<E, undefined>> {
    const first = this.#events.shift();
    if (first !== undefined) {
      this.#bytes -= first.sizeBytes;
      if (this.#events.length <= maxEvents / 2 && this.#bytes <= maxBytes / 2) this.drained();
      return Promise.resolve({ done: false, value: first.event });
    }
    if (this.#ended) return Promise.resolve(done());
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  /** Ends the buffer. Events in the buffer can still be read. */
  end(): void {
    this.#ended = true;
    for (const reader of this.#readers.splice(0)) reader(done());
  }

  /** Ends the buffer and discards the events in it. */
  discard(): void {
    this.#events = [];
    this.#bytes = 0;
    this.end();
  }
}

function done(): Done {
  return { done: true, value: undefined };
}
