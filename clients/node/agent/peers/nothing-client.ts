import { type AgentClient, AgentFailure, type Request } from "../line-agent.js";
import type { LoadTarget } from "../load/load.js";

/** A client whose calls have ended before they are made: what a load of them costs is the generator's own. */
export class NothingAgentClient implements AgentClient {
  readonly name = "nothing";

  async open(): Promise<object> {
    return { version: "1", transport: "none", maxInFlight: "off", channels: null };
  }

  async close(): Promise<void> {
    // There is nothing open.
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
    throw new AgentFailure("Unsupported", `a peer has no "${request.op}"`);
  }
}
