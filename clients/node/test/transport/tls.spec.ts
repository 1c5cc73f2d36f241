// Tests TLS between the client and the real server. The server's certificate is issued by a test authority.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CacheClient } from "../../src/client/client.js";
import { ErrorResponse, Hit } from "../../src/client/responses.js";
import type { TransportKind } from "../../src/configuration/configuration.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import { Certificates, skipWithoutOpenssl } from "../support/certificates.js";
import { skipWithoutServer, startServer } from "../support/server-process.js";

function clientOf(transport: TransportKind, credentials: CredentialProvider): CacheClient {
  return new CacheClient({
    credentials,
    configuration: withSettings(Configurations.Laptop.latest(), { transport, requestTimeoutMs: 30_000 }),
    defaultTtlMs: 60_000,
  });
}

/**
 * Returns the error of a get. The parameters are the server's certificate and the certificates that the client trusts.
 */
async function refusal(
  transport: TransportKind,
  certificates: Certificates,
  credentialsFor: (endpoint: string) => CredentialProvider,
): Promise<{ readonly code: string; readonly message: string }> {
  const server = await startServer(["--tls-cert", certificates.certificatePath, "--tls-key", certificates.keyPath]);
  const client = clientOf(transport, credentialsFor(server.endpoint));
  const response = await client.cache("cache").get("key");
  await client.close();
  await server.stop("SIGKILL");
  certificates.remove();
  assert.ok(response instanceof ErrorResponse, response.result);
  return response.error;
}

const trusting = (certificates: Certificates) => (endpoint: string) =>
  CredentialProvider.fromString(`https://${endpoint}`, { certificateAuthority: certificates.authority });

describe("TLS topics", { skip: skipWithoutServer || skipWithoutOpenssl }, () => {
  test("A2: subscription ends with the TLS error if TLS fails", async () => {
    const [certificates, others] = [new Certificates(), new Certificates()];
    const server = await startServer(["--tls-cert", certificates.certificatePath, "--tls-key", certificates.keyPath]);
    const configuration = withSettings(Configurations.Laptop.latest(), { requestTimeoutMs: 2_000 });
    const credentials = trusting(others)(server.endpoint);
    const client = new CacheClient({ credentials, configuration, defaultTtlMs: 60_000 });
    for await (const event of client.cache("cache").subscribe("topic")) {
      assert.ok(event.type === "error");
      assert.equal(event.error.code, "Unavailable");
      assert.match(
        event.error.message,
        /from an authority that this client does not trust|certificate signature failure/,
      );
    }
    await client.close();
    await server.stop("SIGKILL");
    certificates.remove();
    others.remove();
  });
});

for (const transport of ["unary", "pipeline"] as const)
  describe(`TLS, ${transport}`, { skip: skipWithoutServer || skipWithoutOpenssl }, () => {
    test("A2: client that trusts the certificate authority connects", async () => {
      const certificates = new Certificates();
      const server = await startServer(["--tls-cert", certificates.certificatePath, "--tls-key", certificates.keyPath]);
      const client = clientOf(transport, trusting(certificates)(server.endpoint));
      const cache = client.cache("cache");
      assert.equal((await cache.set("key", "value")).result, "success");
      const got = await cache.get("key");
      assert.ok(got instanceof Hit && got.value === "value");
      const subscription = cache.subscribe("topic");
      assert.ok(await subscription.established());
      assert.equal((await cache.publish("topic", "secret")).result, "success");
      for await (const event of subscription) {
        assert.ok(event.type === "item" && event.value === "secret");
        break;
      }
      await client.close();
      await server.stop("SIGKILL");
      certificates.remove();
    });

    test("A2: error reports an untrusted certificate authority", async () => {
      const others = new Certificates();
      const { code, message } = await refusal(transport, new Certificates(), trusting(others));
      others.remove();
      assert.equal(code, "Unavailable");
      assert.match(message, /unable to (verify the first|get local issuer) certificate|certificate signature failure/);
    });

    test("A2: NODE_TLS_REJECT_UNAUTHORIZED has no effect", async () => {
      const others = new Certificates();
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
      try {
        assert.equal((await refusal(transport, new Certificates(), trusting(others))).code, "Unavailable");
        const named = new Certificates({ hostName: "elsewhere.example" });
        assert.equal((await refusal(transport, named, trusting(named))).code, "Unavailable");
      } finally {
        delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
        others.remove();
      }
    });

    test("A2: error reports a host name mismatch", async () => {
      const certificates = new Certificates({ hostName: "elsewhere.example" });
      const { code, message } = await refusal(transport, certificates, trusting(certificates));
      assert.equal(code, "Unavailable");
      assert.match(message, /does not match certificate's altnames/);
    });

    test("A2: error reports an expired certificate", async () => {
      const certificates = new Certificates({ expired: true });
      const { code, message } = await refusal(transport, certificates, trusting(certificates));
      assert.equal(code, "Unavailable");
      assert.match(message, /certificate has expired/);
    });

    test("A2: error for plaintext to a TLS port suggests https", async () => {
      const { code, message } = await refusal(transport, new Certificates(), (endpoint) =>
        CredentialProvider.local(endpoint),
      );
      assert.equal(code, "Unavailable");
      assert.match(message, /the port requires TLS; use an https:\/\/ address/);
      assert.match(message, /plaintext/);
    });
  });
