import type { ErrorResponse } from "../client/responses.js";
import { checkCacheName } from "../client/validation.js";
import type { CallMaker } from "./call-maker.js";

/** What all calls on one cache have in common: its name, and what makes them. */
export abstract class CacheCalls {
  /**
   * What refuses each call if the cache's name is invalid (ERR-4); null if it is valid.
   * @internal
   */
  readonly invalidName: ErrorResponse | null;

  /**
   * Throws a TypeError if the name is not a string.
   * @internal
   */
  constructor(
    /** The cache's name. */
    readonly name: string,
    /** @internal */
    readonly calls: CallMaker,
  ) {
    this.invalidName = checkCacheName(name);
  }
}
