import type { CallMaker } from "../src/call-maker.js";
import type { CacheClient } from "../src/client.js";
import type { Operation } from "../src/operation.js";
import type { ErrorResponse } from "../src/responses.js";

/** Makes a call that a client has for itself alone, as it makes its own. */
export function internalCall<R>(client: CacheClient, operation: Operation<R>): Promise<R | ErrorResponse> {
  return (client as unknown as { readonly calls: CallMaker }).calls.make(operation, undefined);
}
