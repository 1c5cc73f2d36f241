import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { HostileRandom } from "./hostile-random.js";
import { serverProgram } from "./processes.js";

/** A server of its own process that is paused, stopped and started again, always on one port. */
export class MovableServer {
  /** How often each trouble was made. */
  readonly troubles: Record<string, number> = { none: 0, paused: 0, stopped: 0, killed: 0 };

  private constructor(
    private child: ChildProcess,
    private readonly port: number,
  ) {}

  get endpoint(): string {
    return `127.0.0.1:${this.port}`;
  }

  static async start(): Promise<MovableServer> {
    const { child, port } = await started(0);
    return new MovableServer(child, port);
  }

  /** Makes a trouble, or none, and ends it again: the server then serves. */
  async trouble(random: HostileRandom): Promise<void> {
    const kind = random.of(Object.keys(this.troubles));
    this.troubles[kind]!++;
    if (kind === "none") return;
    await pass(random.below(500));
    if (kind === "paused") {
      this.child.kill("SIGSTOP");
      await pass(random.below(1_500));
      this.child.kill("SIGCONT");
      return;
    }
    await this.#end(kind === "killed" ? "SIGKILL" : "SIGTERM");
    await pass(random.below(3_000));
    this.child = (await started(this.port)).child;
  }

  stop(): Promise<void> {
    return this.#end("SIGTERM");
  }

  #end(signal: NodeJS.Signals): Promise<void> {
    const ended = new Promise<void>((resolve) => this.child.once("exit", () => resolve()));
    this.child.kill(signal);
    return ended;
  }
}

async function started(port: number): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const options = ["--port", String(port), "--console-port", "0", "--memory", "128m"];
  const child = spawn("dotnet", [serverProgram(), ...options], { stdio: ["ignore", "pipe", "ignore"] });
  for await (const line of createInterface({ input: child.stdout })) {
    const match = /listening on http:\/\/\S+:(\d+)/.exec(line);
    if (match !== null) {
      child.stdout.resume();
      return { child, port: Number(match[1]) };
    }
  }
  throw new Error("the server wrote no start line");
}

function pass(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
