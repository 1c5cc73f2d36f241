// Of a client (GOC-13): as many factories as a process may run unasked beside those that callers wait for.
const most = 32;

/** The values that a client makes in the background at one time: past the most no more are begun. */
export class BackgroundLoads {
  #underWay = 0;

  /** Begins one; false: there are as many as there may be. What begins ends by `end`. */
  tryBegin(): boolean {
    if (this.#underWay >= most) return false;
    this.#underWay++;
    return true;
  }

  end(): void {
    this.#underWay--;
  }
}
