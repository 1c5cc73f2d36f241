import { createInterface } from "node:readline";
import * as v8 from "node:v8";
import { runInNewContext } from "node:vm";
import { Load, type LoadRequest, type LoadTarget } from "./load/load.js";

/** A parsed request line. */
export interface Request {
  readonly id: number;
  readonly op: string;
  readonly [field: string]: unknown;
}

/** A failure with an error code that the agent or a client defines. */
export class AgentFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The operations of one client that an agent can run. Each operation returns the fields of its last response line. */
export interface AgentClient {
  readonly name: string;
  open(request: Request): Promise<object>;
  close(): Promise<void>;
  statistics(): {
    inFlight: number | null;
    inFlightLimit: number | string | null;
    queued: number | null;
    connections: number | null;
  };
  target(): LoadTarget;
  /** Replaces some settings of a configuration, as the request specifies. Returns the resulting configuration. */
  configuration?(request: Request): object;
  /** Runs an operation that has no method of its own, and returns the fields of its response. */
  operate(request: Request): Promise<object>;
}

/** Reads requests from stdin and writes responses to stdout until stdin ends (conformance/AGENT.md). */
export class LineAgent {
  // The open clients by name. The unnamed client has the key "".
  readonly #clients = new Map<string, AgentClient>();
  #loading = false;

  /**
   * Creates an agent.
   * @param another - Creates additional clients. Requests address these clients by name.
   */
  constructor(
    private readonly client: AgentClient,
    private readonly another?: () => AgentClient,
  ) {}

  async run(): Promise<void> {
    write({ ready: { agent: this.client.name, protocol: 1 } });
    for await (const line of createInterface({ input: process.stdin })) if (line.trim() !== "") void this.#line(line);
    for (const client of this.#clients.values()) await client.close();
    process.exit(0);
  }

  async #line(line: string): Promise<void> {
    let id: number | null = null;
    try {
      const request = parse(line);
      id = request.id;
      write({ id, ...(await this.#answer(request)) });
    } catch (error) {
      const code = error instanceof AgentFailure ? error.code : "AgentError";
      const message = error instanceof Error ? error.message : String(error);
      write({ id, result: "error", error: { code, message, cause: null } });
    }
  }

  async #answer(request: Request): Promise<object> {
    const named = typeof request.named === "string" ? request.named : "";
    if (request.op === "open") return this.#open(named, request);
    if (request.op === "configuration" && this.client.configuration) return this.client.configuration(request);
    const client = this.#clients.get(named);
    if (client === undefined) throw new AgentFailure("AgentError", "no client is open; send open first");
    switch (request.op) {
      case "close":
        this.#clients.delete(named);
        await client.close();
        return { result: "success" };
      case "stats":
        return { result: "success", ...client.statistics(), ...processFigures(request.collect !== false) };
      case "load":
        return this.#load(client, request);
      default:
        return client.operate(request);
    }
  }

  async #open(named: string, request: Request): Promise<object> {
    if (this.#clients.has(named)) throw new AgentFailure("AgentError", "a client is already open; send close first");
    const client = named === "" ? this.client : this.another?.();
    if (client === undefined) throw new AgentFailure("Unsupported", "this agent supports only one client");
    const effect = await client.open(request);
    this.#clients.set(named, client);
    const runtime = `Node ${process.versions.node}`;
    return { result: "success", client: client.name, runtime, pid: process.pid, ...effect };
  }

  async #load(client: AgentClient, request: Request): Promise<object> {
    if (this.#loading) throw new AgentFailure("AgentError", "a load run is already in progress");
    this.#loading = true;
    try {
      const progress = (figures: object) => write({ id: request.id, progress: figures });
      const load = new Load(client.target(), request as unknown as LoadRequest, progress);
      return { result: "success", ...(await load.run()) };
    } finally {
      this.#loading = false;
    }
  }
}

function parse(line: string): Request {
  const value: unknown = JSON.parse(line);
  if (typeof value !== "object" || value === null)
    throw new AgentFailure("AgentError", "the line must be a JSON object");
  const request = value as Request;
  if (!Number.isInteger(request.id)) throw new AgentFailure("AgentError", "the request has no id");
  if (typeof request.op !== "string") throw new AgentFailure("AgentError", "the request has no op");
  return request;
}

function processFigures(collect: boolean): object {
  if (collect) {
    v8.setFlagsFromString("--expose-gc");
    (runInNewContext("gc") as () => void)();
  }
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return { residentBytes: rss, managedBytes: heapUsed, cpuSeconds: (user + system) / 1e6 };
}

function write(answer: object): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
