import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** For a test that needs certificates, which Node itself cannot make. */
export const skipWithoutOpenssl =
  spawnSync("openssl", ["version"]).status === 0 ? false : "SKIPPED: openssl is not installed: apt-get install openssl";

/** An authority and a server's certificate from it, made for one test. */
export class Certificates {
  readonly #folder = mkdtempSync(join(tmpdir(), "larder-tls-"));
  readonly certificatePath = join(this.#folder, "server.pem");
  readonly keyPath = join(this.#folder, "server.key");
  /** PEM of the authority. */
  readonly authority: string;

  constructor({ hostName = "localhost", expired = false } = {}) {
    const path = (name: string) => join(this.#folder, name);
    const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    this.#openssl(
      "req",
      "-x509",
      ...newKey,
      "-subj",
      "/CN=Larder test authority",
      "-days",
      "2",
      "-keyout",
      path("ca.key"),
      "-out",
      path("ca.pem"),
    );
    this.#openssl("req", ...newKey, "-subj", `/CN=${hostName}`, "-keyout", this.keyPath, "-out", path("server.csr"));
    const address = hostName === "localhost" ? ",IP:127.0.0.1" : "";
    writeFileSync(path("names"), `subjectAltName=DNS:${hostName}${address}\nextendedKeyUsage=serverAuth\n`);
    // An end before now makes a certificate that has expired; openssl takes it as a number of days.
    const days = expired ? "-1" : "2";
    const authority = ["-CA", path("ca.pem"), "-CAkey", path("ca.key"), "-CAcreateserial"];
    this.#openssl(
      "x509",
      "-req",
      "-in",
      path("server.csr"),
      ...authority,
      "-days",
      days,
      "-extfile",
      path("names"),
      "-out",
      this.certificatePath,
    );
    this.authority = readFileSync(path("ca.pem"), "utf8");
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }

  #openssl(...options: string[]): void {
    execFileSync("openssl", options, { stdio: "pipe" });
  }
}
