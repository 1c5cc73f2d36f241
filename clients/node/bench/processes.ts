import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startServer } from "../test/support/server-process.js";

const agentProgram = fileURLToPath(new URL("../agent/main.js", import.meta.url));

/** A server to measure against, and a function that stops it. */
export interface BenchServer {
  readonly endpoint: string;
  stop(): void;
}

export async function startLarder(): Promise<BenchServer> {
  const server = await startServer(["--memory", "512m"]);
  return { endpoint: server.endpoint, stop: () => server.signal("SIGTERM") };
}

/** Starts redis-server without persistence. */
export async function startRedis(port: number): Promise<BenchServer> {
  const child = spawn("redis-server", ["--port", String(port), "--save", "", "--appendonly", "no"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout }))
    if (line.includes("Ready to accept")) return { endpoint: `127.0.0.1:${port}`, stop: () => child.kill("SIGTERM") };
  throw new Error("redis-server did not start");
}

/** The fields of an agent's response. */
export type Answer = Readonly<Record<string, unknown>>;

/** An agent process that handles one request at a time. */
export class Agent {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  #id = 0;

  /**
   * Starts an agent. The arguments `peer` select another client. The path `program` can be the agent of another
   * checkout.
   */
  constructor(peer: readonly string[] = [], program = agentProgram) {
    const child = spawn(process.execPath, [program, ...peer], { stdio: ["pipe", "pipe", "inherit"] });
    this.#child = child;
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  async ask(op: string, fields: object = {}): Promise<Answer> {
    this.#child.stdin!.write(`${JSON.stringify({ id: ++this.#id, op, ...fields })}\n`);
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done === true) throw new Error("the agent ended");
      const answer = JSON.parse(value) as Answer;
      if (answer.id !== this.#id || answer.progress !== undefined) continue;
      if (answer.result === "error") throw new Error(JSON.stringify(answer.error));
      return answer;
    }
  }

  end(): void {
    this.#child.stdin!.end();
  }
}
