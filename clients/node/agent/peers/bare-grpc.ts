import { Hit } from "../../src/client/responses.js";
import { GetOperation, SetOperation } from "../../src/operations/scalar-operations.js";
import { AgentFailure, type Request } from "../line-agent.js";
import type { LoadTarget } from "../load/load.js";

// The default number of channels, which is the number in Configurations.Laptop.
const usualChannels = 5;

/**
 * Returns the load target for a bare gRPC library. The function `call` must encode an operation with the codec of this
 * client, and send it.
 */
export function bareTarget(
  call: (operation: GetOperation | SetOperation) => Promise<unknown>,
  errorCode: (response: unknown) => string | null,
  connections: () => number | null,
): LoadTarget {
  return {
    get: (key) => call(new GetOperation("cache", key)),
    set: (key, value, ttlMs) => call(new SetOperation("cache", key, value, ttlMs)),
    valueOf: (response) => (response instanceof Hit ? response.value : null),
    errorCode,
    connections,
  };
}

/**
 * Returns the number of channels that an `open` request specifies. Throws if an option is not supported by the peer.
 */
export function bareChannels(request: Request): number {
  if (request.headers !== undefined || typeof request.maxInFlight === "number")
    throw new AgentFailure("Unsupported", "the bare library has no concurrency limit");
  const count = request.channels ?? usualChannels;
  if (typeof count === "number" && Number.isInteger(count) && count >= 1 && count <= 100) return count;
  throw new AgentFailure("AgentError", `channels must be from 1 to 100, not ${JSON.stringify(count)}`);
}
