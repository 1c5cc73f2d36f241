// The server program, built, on free ports.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const root = join(import.meta.dirname, "..", "..", "..", "..");

/** LARDER_SERVER, or the build in the repository; null if there is none. */
export function serverProgram(): string | null {
  if (process.env.LARDER_SERVER) return process.env.LARDER_SERVER;
  const builds = ["Release", "Debug"].map((kind) =>
    join(root, "server/src/Larder.Server/bin", kind, "net10.0/larder-server.dll"),
  );
  return builds.find((path) => existsSync(path)) ?? null;
}

export async function startServer(program: string): Promise<{ endpoint: string; child: ChildProcess }> {
  const [command, first] = program.endsWith(".dll") ? ["dotnet", [program]] : [program, []];
  const child = spawn(command, [...first, "--port", "0", "--console-port", "0", "--memory", "256m"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  for await (const line of createInterface({ input: child.stdout! })) {
    const match = /listening on http:\/\/([^:\s]+:\d+)/.exec(line);
    if (match !== null) return { endpoint: match[1]!, child };
  }
  throw new Error("the server wrote no start line");
}
