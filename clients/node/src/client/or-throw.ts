import type { ErrorResponse } from "./responses.js";

/**
 * Returns a successful response, or throws the error of an error response: `orThrow(await cache.get(key))`.
 * @throws CacheError if the response is an error.
 */
export function orThrow<R extends { readonly result: string }>(response: R | ErrorResponse): Exclude<R, ErrorResponse> {
  // Check `result` instead of the class, because the response may come from another copy of this package.
  if (isError(response)) throw response.error;
  return response as Exclude<R, ErrorResponse>;
}

/** Returns whether a response, or any other value, is an error response. */
export function isError(response: unknown): response is ErrorResponse {
  return (response as { readonly result?: unknown } | null | undefined)?.result === "error";
}
