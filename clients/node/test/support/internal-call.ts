import type { CallMaker } from "../../src/calls/call-maker.js";
import type { CacheClient } from "../../src/client/client.js";
import type { ErrorResponse } from "../../src/client/responses.js";
import type { Operation } from "../../src/operations/operation.js";

/** Makes one of the internal calls of the client, in the same way as the client does. */
export function internalCall<R>(client: CacheClient, operation: Operation<R>): Promise<R | ErrorResponse> {
  return (client as unknown as { readonly calls: CallMaker }).calls.make(operation, undefined);
}
