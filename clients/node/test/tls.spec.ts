// TLS between the client and the server's own program, whose certificate comes from an authority made for the test.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CacheClient } from "../src/client.js";
import { type TransportKind, withSettings } from "../src/configuration.js";
import { Configurations } from "../src/configurations.js";
import { CredentialProvider } from "../src/credential-provider.js";
import { ErrorResponse, Hit } from "../src/responses.js";
import { Certificates, skipWithoutOpenssl } from "./certificates.js";
import { skipWithoutServer, startServer } from "./server-process.js";

function clientOf(transport: TransportKind, credentials: CredentialProvider): CacheClient {
  return new CacheClient({
    credentials,
    configuration: withSettings(Configurations.Laptop.latest(), { transport, requestTimeoutMs: 30_000 }),
    defaultTtlMs: 60_000,
  });
}

/** How a get fails that is made with these certificates at the server, and with what the client trusts. */
async function refusal(
  transport: TransportKind,
  certificates: Certificates,
  credentialsFor: (endpoint: string) => CredentialProvider,
): Promise<{ readonly code: string; readonly message: string }> {
  const server = await startServer(["--tls-cert", certificates.certificatePath, "--tls-key", certificates.keyPath]);
  const client = clientOf(transport, credentialsFor(server.endpoint));
  const response = await client.get("cache", "key");
  await client.close();
  await server.stop("SIGKILL");
  certificates.remove();
  assert.ok(response instanceof ErrorResponse, response.result);
  return response.error;
}

const trusting = (certificates: Certificates) => (endpoint: string) =>
  CredentialProvider.fromString(`https://${endpoint}`, { certificateAuthority: certificates.authority });

for (const transport of ["unary", "pipeline"] as const)
  describe(`TLS, ${transport}`, { skip: skipWithoutServer || skipWithoutOpenssl }, () => {
    test("A2: a client that trusts the authority is served", async () => {
      const certificates = new Certificates();
      const server = await startServer(["--tls-cert", certificates.certificatePath, "--tls-key", certificates.keyPath]);
      const client = clientOf(transport, trusting(certificates)(server.endpoint));
      assert.equal((await client.set("cache", "key", "value")).result, "success");
      const got = await client.get("cache", "key");
      assert.ok(got instanceof Hit && got.value === "value");
      await client.close();
      await server.stop("SIGKILL");
      certificates.remove();
    });

    test("A2: an unknown authority is refused with the reason", async () => {
      const others = new Certificates();
      const { code, message } = await refusal(transport, new Certificates(), trusting(others));
      others.remove();
      assert.equal(code, "Unavailable");
      assert.match(message, /unable to (verify the first|get local issuer) certificate|certificate signature failure/);
    });

    test("A2: a wrong host name is refused with the reason", async () => {
      const certificates = new Certificates({ hostName: "elsewhere.example" });
      const { code, message } = await refusal(transport, certificates, trusting(certificates));
      assert.equal(code, "Unavailable");
      assert.match(message, /does not match certificate's altnames/);
    });

    test("A2: an expired certificate is refused with the reason", async () => {
      const certificates = new Certificates({ expired: true });
      const { code, message } = await refusal(transport, certificates, trusting(certificates));
      assert.equal(code, "Unavailable");
      assert.match(message, /certificate has expired/);
    });

    test("A2: plaintext to a TLS port is refused with the reason", async () => {
      const { code, message } = await refusal(transport, new Certificates(), (endpoint) =>
        CredentialProvider.local(endpoint),
      );
      assert.equal(code, "Unavailable");
      assert.match(message, /Failed to connect|connection was (lost|closed)/);
      assert.match(message, /plaintext/);
    });
  });
