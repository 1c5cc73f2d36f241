import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";

const root = join(import.meta.dirname, "..", "..", "..", "..", "..");

/** Returns the path of the server program: LARDER_SERVER, otherwise the build in the repository, otherwise null. */
export function serverProgram(): string | null {
  if (process.env.LARDER_SERVER) return process.env.LARDER_SERVER;
  const builds = ["Release", "Debug"].map((kind) =>
    join(root, "server/src/Larder.Server/bin", kind, "net10.0/larder-server.dll"),
  );
  return builds.find((path) => existsSync(path)) ?? null;
}

/** The reason to skip a test that needs the real server. The test is skipped if the server is not built. */
export const skipWithoutServer =
  serverProgram() === null
    ? "SKIPPED: the server is not built: dotnet build -c Release server/src/Larder.Server"
    : false;

/** A server process on a free port of the loopback interface. */
export interface ServerProcess {
  /** The address as `host:port`. */
  readonly endpoint: string;
  readonly port: number;
  /** Sends a signal to the process. */
  signal(signal: NodeJS.Signals): void;
  /** Stops the process with SIGTERM or another signal, and waits until it has exited. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Returns an unused port below 32,768, where the ports of outgoing connections begin. No outgoing connection can take
 * the port, so a server can be restarted on it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(11_000, 21_000);
    const probe = createServer();
    const free = await new Promise<boolean>((resolve) => {
      probe.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
}

export async function startServer(options: readonly string[] = [], port?: number): Promise<ServerProcess> {
  const program = serverProgram();
  if (program === null) throw new Error("build server/src/Larder.Server with -c Release first");
  const [command, first] = program.endsWith(".dll") ? ["dotnet", [program]] : [program, []];
  const memory = options.includes("--memory") ? [] : ["--memory", "256m"];
  const child: ChildProcess = spawn(
    command,
    [...first, "--port", `${port ?? (await freePort())}`, "--console-port", "0", ...memory, ...options],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  for await (const line of createInterface({ input: child.stdout! })) {
    const match = /listening on https?:\/\/([^:\s]+:(\d+))/.exec(line);
    if (match === null) continue;
    child.stdout!.resume();
    const signal = (name: NodeJS.Signals) => void child.kill(name);
    const stop = (name: NodeJS.Signals = "SIGTERM") => {
      signal(name);
      return exited;
    };
    return { endpoint: match[1]!, port: Number(match[2]), signal, stop };
  }
  throw new Error("the server wrote no start line");
}
