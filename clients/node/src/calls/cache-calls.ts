import type { ErrorResponse } from "../client/responses.js";
import { checkCacheName } from "../client/validation.js";
import type { CallMaker } from "./call-maker.js";

/** Base class of all calls on one cache. It contains the cache's name and the object that makes the calls. */
export abstract class CacheCalls {
  /**
   * The error that every call returns if the cache's name is invalid (ERR-4), or null if it is valid.
   * @internal
   */
  readonly invalidName: ErrorResponse | null;

  /**
   * Creates the calls on a cache.
   * @throws TypeError if the name is not a string.
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
