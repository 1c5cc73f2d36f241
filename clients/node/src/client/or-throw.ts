import type { ErrorResponse } from "./responses.js";

/**
 * Returns a response that is not an error, and throws the error of one that is: `orThrow(await cache.get(key))`.
 * @throws CacheError of the response.
 */
export function orThrow<R extends { readonly result: string }>(response: R | ErrorResponse): Exclude<R, ErrorResponse> {
  // Only `result` tells an error: the response may come from another copy of this package, whose classes differ.
  if (isError(response)) throw response.error;
  return response as Exclude<R, ErrorResponse>;
}

/** Whether a response, or another value in its place, is an error. */
export function isError(response: unknown): response is ErrorResponse {
  return (response as { readonly result?: unknown } | null | undefined)?.result === "error";
}
