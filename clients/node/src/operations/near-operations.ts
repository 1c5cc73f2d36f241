import { EmptyOperation, type OperationKind, operationKind } from "./operation.js";
import { ProtoError, type ProtoReader } from "./proto-reader.js";

const traits = { idempotent: true, serverStream: false };
// These operations have no unary form.
const nearOpen = operationKind("nearOpen", "", 80, traits);
const nearRenew = operationKind("nearRenew", "", 81, traits);

/** Opens the near cache on the stream that sends this operation (NEAR-1). The response is the lease duration in ms. */
export class NearOpenOperation extends EmptyOperation<number> {
  get kind(): OperationKind {
    return nearOpen;
  }
  decode(reader: ProtoReader): number {
    let leaseMs = 0;
    while (reader.more) {
      const tag = reader.varint();
      if (tag === 8) leaseMs = reader.varint();
      else reader.skip(tag);
    }
    if (leaseMs === 0) throw new ProtoError("the server granted no lease for the near cache");
    return leaseMs;
  }
}

/** Renews the near-cache lease of the stream that sends this operation (NEAR-7). */
export class NearRenewOperation extends EmptyOperation<void> {
  get kind(): OperationKind {
    return nearRenew;
  }
  decode(): void {}
}
