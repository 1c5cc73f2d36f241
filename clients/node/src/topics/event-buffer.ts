/** The end of an iteration. */
type Done = IteratorReturnResult<undefined>;

// Decoded ahead of their reader.
const mostEvents = 256;
const mostBytes = 4 << 20;

/**
 * Events between a stream and the caller that reads them. Once there are 256, or 4 MiB of them, it is full, and whoever
 * writes has to wait after the message at hand. Callers that wait are answered in their order.
 */
export class EventBuffer<E> {
  #events: { readonly event: E; readonly sizeBytes: number }[] = [];
  #bytes = 0;
  #ended = false;
  readonly #readers: ((result: IteratorResult<E, undefined>) => void)[] = [];

  /** `drained`: an event was taken out, and no more than half of what fits is left. */
  constructor(private readonly drained: () => void) {}

  get isFull(): boolean {
    return this.#events.length >= mostEvents || this.#bytes >= mostBytes;
  }

  /** Events that nobody has taken yet. */
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

  /** The next event, once there is one, or the end. */
  next(): Promise<IteratorResult<E, undefined>> {
    const first = this.#events.shift();
    if (first !== undefined) {
      this.#bytes -= first.sizeBytes;
      if (this.#events.length <= mostEvents / 2 && this.#bytes <= mostBytes / 2) this.drained();
      return Promise.resolve({ done: false, value: first.event });
    }
    if (this.#ended) return Promise.resolve(done());
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  /** Nothing comes any more; what is held can still be read. */
  end(): void {
    this.#ended = true;
    for (const reader of this.#readers.splice(0)) reader(done());
  }

  /** Nothing comes any more, and nothing that is held is read. */
  discard(): void {
    this.#events = [];
    this.#bytes = 0;
    this.end();
  }
}

function done(): Done {
  return { done: true, value: undefined };
}
