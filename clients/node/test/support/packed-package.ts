import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = join(import.meta.dirname, "..", "..", "..");

/** Packs the built package with npm and unpacks it into `node_modules/larder-cache` of `project`. */
export function installPacked(project: string): void {
  const scratch = mkdtempSync(join(tmpdir(), "larder-packed-"));
  try {
    const packed = execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", scratch], {
      cwd: folder,
      encoding: "utf8",
    });
    const target = join(project, "node_modules", "larder-cache");
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
    execFileSync("tar", ["-xzf", join(scratch, packed.trim()), "-C", target, "--strip-components=1"]);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
