import { brand } from "../client/package-brand.js";

/** Brand of the bounds of ranges of scores. */
export const scoreBoundBrand = "ScoreBound";

/** An end of a range of scores. A number where a bound is expected is one that is in the range itself. */
export class ScoreBound {
  private constructor(
    /** The score: a number, or infinite. */
    readonly score: number,
    /** Whether elements of exactly that score are left out. */
    readonly isExclusive: boolean,
  ) {
    Object.freeze(this);
  }

  /** @internal */
  get [brand](): string {
    return scoreBoundBrand;
  }

  /** A bound that is in the range itself. */
  static inclusive(score: number): ScoreBound {
    return new ScoreBound(requireScore(score), false);
  }

  /** A bound that is not in the range itself. */
  static exclusive(score: number): ScoreBound {
    return new ScoreBound(requireScore(score), true);
  }
}

function requireScore(score: unknown): number {
  if (typeof score !== "number") throw new TypeError("a bound's score must be a number");
  return score;
}
