import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../../../..", import.meta.url));
const agentProgram = fileURLToPath(new URL("../agent/main.js", import.meta.url));

/** A server that a bench measures against, and the way to end it. */
export interface BenchServer {
  readonly endpoint: string;
  stop(): void;
}

/** The Larder server: LARDER_SERVER, or the build in the repository. */
export function serverProgram(): string {
  const built = join(repository, "server/src/Larder.Server/bin/Release/net10.0/larder-server.dll");
  const program = process.env.LARDER_SERVER ?? built;
  if (!existsSync(program)) throw new Error("build server/src/Larder.Server with -c Release first");
  return program;
}

export async function startLarder(): Promise<BenchServer> {
  const child = spawn("dotnet", [serverProgram(), "--port", "0", "--console-port", "0", "--memory", "512m"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const match = /listening on http:\/\/(\S+:\d+)/.exec(line);
    if (match !== null) return { endpoint: match[1]!, stop: () => child.kill("SIGTERM") };
  }
  throw new Error("the server wrote no start line");
}

/** redis-server without persistence. */
export async function startRedis(port: number): Promise<BenchServer> {
  const child = spawn("redis-server", ["--port", String(port), "--save", "", "--appendonly", "no"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout }))
    if (line.includes("Ready to accept")) return { endpoint: `127.0.0.1:${port}`, stop: () => child.kill("SIGTERM") };
  throw new Error("redis-server did not start");
}

/** The fields of an agent's answer. */
export type Answer = Readonly<Record<string, unknown>>;

/** An agent in a process of its own, asked one thing at a time. */
export class Agent {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  #id = 0;

  constructor(...peer: string[]) {
    const child = spawn(process.execPath, [agentProgram, ...peer], { stdio: ["pipe", "pipe", "inherit"] });
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
