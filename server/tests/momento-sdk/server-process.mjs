// Starts the built server program on free ports, and reads the ports from its start line.
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const repositoryRoot = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const startDeadlineMs = 60_000;

/**
 * Returns the path of the server program. This is the value of the environment variable LARDER_SERVER (a .dll or an
 * executable), otherwise the build in the repository. Returns null if there is neither.
 */
export function findServerProgram() {
  const named = process.env.LARDER_SERVER;
  if (named) return named;
  const project = join(repositoryRoot, "server", "src", "Larder.Server", "bin");
  const builds = ["Release", "Debug"].map((kind) => join(project, kind, "net10.0", "larder-server.dll"));
  return builds.find((path) => existsSync(path)) ?? null;
}

/** A running server process and its ports. */
export class ServerProcess {
  #child;

  constructor(child, port, consolePort) {
    this.#child = child;
    this.port = port;
    this.consolePort = consolePort;
  }

  static async start(...args) {
    return ServerProcess.startAt(await freePort(), ...args);
  }

  /** Starts a server on a given port. */
  static async startAt(port, ...args) {
    const program = findServerProgram();
    if (program === null) throw new Error("no server program: build server/src/Larder.Server or set LARDER_SERVER");
    const [command, first] = program.endsWith(".dll") ? ["dotnet", [program]] : [program, []];
    const child = spawn(command, [...first, "--port", `${port}`, "--console-port", "0", "--memory", "256m", ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const line = await firstMatchingLine(child);
    return new ServerProcess(child, Number(line[1]), Number(line[2] ?? 0));
  }

  async stop() {
    if (this.#child.exitCode !== null) return this.#child.exitCode;
    const exited = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGTERM");
    return exited;
  }
}

/**
 * Returns a free port below 32,768. Outgoing connections use only higher ports, so a server can be restarted on this
 * port.
 */
async function freePort() {
  for (;;) {
    const port = randomInt(11_000, 21_000);
    const probe = createServer();
    const free = await new Promise((resolve) => {
      probe.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
}

function firstMatchingLine(child) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error("the server wrote no start line"));
    }, startDeadlineMs);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the server ended with ${code} before its start line`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const match = /listening on https?:\/\/[^:\s]+:(\d+)(?: console https?:\/\/[^:\s]+:(\d+))?/.exec(line);
      if (match === null) return;
      clearTimeout(timer);
      resolve(match);
    });
  });
}
