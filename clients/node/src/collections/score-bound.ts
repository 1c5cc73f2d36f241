import { brand } from "../client/package-brand.js";

/** The brand of `ScoreBound` objects. */
export const scoreBoundBrand = "ScoreBound";

/** A bound of a range of scores. A plain number is an inclusive bound. */
export class ScoreBound {
  private constructor(
    /** The score. It may be infinite. */
    readonly score: number,
    /** Whether elements with exactly this score are excluded. */
    readonly isExclusive: boolean,
  ) {
    Object.freeze(this);
  }

  /** @internal */
  get [brand](): string {
    return scoreBoundBrand;
  }

  /** Returns an inclusive bound: elements with exactly this score are in the range. */
  static inclusive(score: number): ScoreBound {
    return new ScoreBound(requireScore(score), false);
  }

  /** Returns an exclusive bound: elements with exactly this score are not in the range. */
  static exclusive(score: number): ScoreBound {
    return new ScoreBound(requireScore(score), true);
  }
}

function requireScore(score: unknown): number {
  if (typeof score !== "number") throw new TypeError("the score of a bound must be a number");
  return score;
}
