import { type AgentClient, AgentFailure, type Request } from "../line-agent.js";
import type { LoadTarget } from "../load/load.js";

/** A client whose calls complete immediately. It measures the cost of the load generator itself. */
export class NothingAgentClient implements AgentClient {
  readonly name = "nothing";

  async open(): Promise<object> {
    return { version: "1", transport: "none", maxInFlight: "off", channels: null };
  }

  async close(): Promise<void> {
    // Nothing to close.
  }

  statistics() {
    return { inFlight: null, inFlightLimit: "off", queued: null, connections: null };
  }

  target(): LoadTarget {
    return {
      get: async (key) => key,
      set: async () => null,
      valueOf: (response) => (typeof response === "string" ? response : null),
      errorCode: () => null,
      connections: () => null,
    };
  }

  operate(request: Request): Promise<object> {
    throw new AgentFailure("Unsupported", `this peer does not support "${request.op}"`);
  }
}
