import { type ServerProcess, startServer } from "../test/support/server-process.js";
import type { HostileRandom } from "./hostile-random.js";

/** A server of its own process that is paused, stopped and started again, always on one port. */
export class MovableServer {
  /** How often each trouble was made. */
  readonly troubles: Record<string, number> = { none: 0, paused: 0, stopped: 0, killed: 0 };

  private constructor(private server: ServerProcess) {}

  get endpoint(): string {
    return this.server.endpoint;
  }

  static async start(): Promise<MovableServer> {
    return new MovableServer(await started(0));
  }

  /** Makes a trouble, or none, and ends it again: the server then serves. */
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
