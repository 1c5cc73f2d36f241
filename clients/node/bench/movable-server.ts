import { type ServerProcess, startServer } from "../test/support/server-process.js";
import type { HostileRandom } from "./hostile-random.js";

/** A server process that can be paused, stopped and restarted, always on the same port. */
export class MovableServer {
  /** The number of times each fault was injected. */
  readonly troubles: Record<string, number> = { none: 0, paused: 0, stopped: 0, killed: 0 };

  private constructor(private server: ServerProcess) {}

  get endpoint(): string {
    return this.server.endpoint;
  }

  static async start(): Promise<MovableServer> {
    return new MovableServer(await started(0));
  }

  /**
   * Injects a random fault or no fault. When the promise resolves, the fault has ended and the server handles calls
   * again.
   */
  async trouble(random: HostileRandom): Promise<void> {
    const kind = random.of(Object.keys(this.troubles));
    this.troubles[kind]!++;
    if (kind === "none") return;
    await pass(random.below(500));
    if (kind === "paused") {
      this.server.signal("SIGSTOP");
      await pass(random.below(1_500));
      this.server.signal("SIGCONT");
      return;
    }
    await this.server.stop(kind === "killed" ? "SIGKILL" : "SIGTERM");
    await pass(random.below(3_000));
    this.server = await started(this.server.port);
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}

function started(port: number): Promise<ServerProcess> {
  return startServer(["--memory", "128m"], port);
}

function pass(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
