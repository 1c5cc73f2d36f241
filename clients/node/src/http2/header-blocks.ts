import { Buffer } from "node:buffer";
import { ProtoWriter } from "../operations/proto-writer.js";
import { type Origin, requestFields } from "../transport/request-fields.js";
import { HeaderEncoder, type HeaderField } from "./header-encoder.js";

/** A call's fields but for its timeout, as they were encoded while the table was as it is said to be here. */
interface KeptBlock {
  readonly bytes: Buffer;
  readonly count: number;
  readonly generation: number;
}

// A handful of paths for a handful of caches; of more all are encoded anew.
const mostBlocks = 256;
// gRPC's timeouts have eight digits at most.
const mostTimeoutMs = 99_999_999;

/** The header blocks of a connection's calls, each encoded once for all calls of the same path and metadata. */
export class HeaderBlocks {
  readonly #encoder = new HeaderEncoder();
  readonly #scratch = new ProtoWriter(1_024);
  // By metadata, and under it by path.
  readonly #kept = new Map<readonly HeaderField[], Map<string, KeptBlock>>();
  #keptBlocks = 0;

  constructor(private readonly origin: Origin) {}

  /** The server's table has so many bytes. */
  resize(bytes: number): void {
    this.#encoder.resize(bytes);
  }

  /** Writes the block of a call, which has to be sent, and before any other. */
  write(into: ProtoWriter, path: string, metadata: readonly HeaderField[], timeoutMs: number): void {
    const kept = this.#kept.get(metadata)?.get(path);
    const encoder = this.#encoder;
    const { count, generation } = encoder;
    let bytes: Buffer;
    if (kept !== undefined && kept.count === count && kept.generation === generation && !encoder.mustAnnounce)
      bytes = kept.bytes;
    else bytes = this.#encode(path, metadata);
    into.reserve(bytes.length);
    into.raw(bytes, bytes.length);
    encoder.writeVarying(into, "grpc-timeout", timeoutText(timeoutMs));
  }

  #encode(path: string, metadata: readonly HeaderField[]): Buffer {
    const encoder = this.#encoder;
    const { count, mustAnnounce } = encoder;
    const scratch = this.#scratch;
    scratch.clear(1_024);
    encoder.write(scratch, [...requestFields(this.origin, path), ...metadata]);
    const bytes = Buffer.from(scratch.written());
    // A block that has just filled the table is no block for the next call, whose fields are in the table by then.
    if (!mustAnnounce && encoder.count === count) this.#keep(path, metadata, bytes);
    return bytes;
  }

  #keep(path: string, metadata: readonly HeaderField[], bytes: Buffer): void {
    if (this.#keptBlocks >= mostBlocks) {
      this.#kept.clear();
      this.#keptBlocks = 0;
    }
    const byPath = this.#kept.get(metadata) ?? new Map<string, KeptBlock>();
    this.#kept.set(metadata, byPath);
    if (!byPath.has(path)) this.#keptBlocks++;
    byPath.set(path, { bytes, count: this.#encoder.count, generation: this.#encoder.generation });
  }
}

function timeoutText(timeoutMs: number): string {
  return timeoutMs <= mostTimeoutMs ? `${timeoutMs}m` : `${Math.ceil(timeoutMs / 1_000)}S`;
}
