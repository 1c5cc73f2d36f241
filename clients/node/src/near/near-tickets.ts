// NEAR-26.
const mostTickets = 65_536;

/** When each ticket came last, while a near get is in flight: it may name a ticket that came before its answer (NEAR-23). */
export class NearTickets {
  readonly #cameAt = new Map<number, number>();

  get count(): number {
    return this.#cameAt.size;
  }

  /** Remembers a ticket; false where it would be one too many. */
  remember(ticket: number, event: number): boolean {
    if (this.#cameAt.size === mostTickets && !this.#cameAt.has(ticket)) return false;
    this.#cameAt.set(ticket, event);
    return true;
  }

  cameAfter(ticket: number, event: number): boolean {
    return (this.#cameAt.get(ticket) ?? 0) > event;
  }

  forget(): void {
    if (this.#cameAt.size > 0) this.#cameAt.clear();
  }
}
