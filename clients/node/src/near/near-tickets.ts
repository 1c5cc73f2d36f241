// NEAR-26: maximum number of remembered tickets.
const mostTickets = 65_536;

/**
 * Remembers when each ticket was last received while near gets are in flight: a response may contain a ticket that was
 * invalidated before it arrived (NEAR-23).
 */
export class NearTickets {
  readonly #cameAt = new Map<number, number>();

  get count(): number {
    return this.#cameAt.size;
  }

  /** Remembers a ticket. Returns false if there are too many. */
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
