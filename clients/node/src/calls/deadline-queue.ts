import type { Clock, ScheduledTask } from "./clock.js";

/** Something that ends at its deadline unless it is removed before. The queue keeps its links. */
export interface Expiring {
  /** On the queue's clock. */
  deadlineAt: number;
  expiresBefore: Expiring | null;
  expiresAfter: Expiring | null;
  /** Called once, when the deadline has passed and the member has left the queue. */
  expired(): void;
}

// Lists that may stay while they are empty: a program has a handful of timeouts, one that computes them has no bound.
const mostEmpty = 64;

/**
 * The deadlines of many calls behind few timers. Calls of one timeout expire in the order in which they were made, so
 * each timeout has a list and one timer for its head; a call that ends in time costs no timer. Bounded by the members:
 * of more than 64 lists, one that empties goes at once.
 */
export class DeadlineQueue {
  readonly #lists = new Map<number, ExpiryList>();

  constructor(private readonly clock: Clock) {}

  /** Members that have neither ended nor expired; counted one by one. */
  get size(): number {
    let size = 0;
    for (const list of this.#lists.values()) size += list.size;
    return size;
  }

  /** Timeouts that have a list now. */
  get lists(): number {
    return this.#lists.size;
  }

  /** Adds a member whose deadline is `timeoutMs` from now. */
  add(member: Expiring, timeoutMs: number): void {
    let list = this.#lists.get(timeoutMs);
    if (list === undefined) {
      const made = new ExpiryList(this.clock, () => {
        // Another may have taken its place meanwhile.
        if (this.#lists.get(timeoutMs) === made) this.#lists.delete(timeoutMs);
      });
      this.#lists.set(timeoutMs, made);
      list = made;
    }
    list.push(member);
  }

  /** Takes a member out that was added with `timeoutMs` and has not expired. */
  remove(member: Expiring, timeoutMs: number): void {
    const list = this.#lists.get(timeoutMs);
    if (list === undefined) return;
    list.remove(member);
    if (this.#lists.size <= mostEmpty || !list.isEmpty) return;
    list.stop([]);
    this.#lists.delete(timeoutMs);
  }

  /** Stops every timer and answers the members that were left; nothing expires any more. */
  close(): Expiring[] {
    const members: Expiring[] = [];
    for (const list of this.#lists.values()) list.stop(members);
    this.#lists.clear();
    return members;
  }
}

class ExpiryList {
  #first: Expiring | null = null;
  #last: Expiring | null = null;
  #timer: ScheduledTask | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly emptied: () => void,
  ) {}

  get size(): number {
    let size = 0;
    for (let member = this.#first; member !== null; member = member.expiresAfter) size++;
    return size;
  }

  get isEmpty(): boolean {
    return this.#first === null;
  }

  push(member: Expiring): void {
    member.expiresBefore = this.#last;
    member.expiresAfter = null;
    if (this.#last === null) this.#first = member;
    else this.#last.expiresAfter = member;
    this.#last = member;
    if (this.#timer === null) this.#arm(member);
    else if (this.#first === member) this.#timer.ref?.();
  }

  remove(member: Expiring): void {
    if (member.expiresBefore === null) this.#first = member.expiresAfter;
    else member.expiresBefore.expiresAfter = member.expiresAfter;
    if (member.expiresAfter === null) this.#last = member.expiresBefore;
    else member.expiresAfter.expiresBefore = member.expiresBefore;
    member.expiresBefore = null;
    member.expiresAfter = null;
    // A timer with nothing to expire does not keep the process.
    if (this.#first === null) this.#timer?.unref?.();
  }

  stop(members: Expiring[]): void {
    this.#timer?.cancel();
    this.#timer = null;
    for (let member = this.#first; member !== null; member = this.#first) {
      this.remove(member);
      members.push(member);
    }
  }

  #arm(head: Expiring): void {
    this.#timer = this.clock.schedule(() => this.#fire(), Math.max(0, head.deadlineAt - this.clock.now()));
  }

  #fire(): void {
    this.#timer = null;
    const now = this.clock.now();
    while (this.#first !== null && this.#first.deadlineAt <= now) {
      const member = this.#first;
      this.remove(member);
      member.expired();
    }
    // A member that expired may have added another, and armed the timer.
    if (this.#timer !== null) return;
    if (this.#first === null) this.emptied();
    else this.#arm(this.#first);
  }
}
