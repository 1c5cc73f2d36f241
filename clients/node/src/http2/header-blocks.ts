import { Buffer } from "node:buffer";
import { ProtoWriter } from "../operations/proto-writer.js";
import { type Origin, requestFields } from "../transport/request-fields.js";
import { HeaderEncoder, type HeaderField } from "./header-encoder.js";

/**
 * The encoded header fields of a call, without the timeout. The block is valid only while the encoder's table has the
 * same count and generation.
 */
interface CachedBlock {
  readonly bytes: Buffer;
  readonly count: number;
  readonly generation: number;
}

// Enough for the usual number of paths and caches. If there are more blocks, the stored blocks are discarded and
// encoded again.
const maxBlocks = 256;
// In gRPC, a timeout has at most eight digits.
const maxTimeoutMs = 99_999_999;

/**
 * Encodes the header blocks of a connection's calls. All calls with the same path and metadata share one encoded block.
 */
export class HeaderBlocks {
  readonly #encoder = new HeaderEncoder();
  readonly #scratch = new ProtoWriter(1_024);
  // The stored blocks by metadata and path.
  readonly #kept = new Map<readonly HeaderField[], Map<string, CachedBlock>>();
  #keptBlocks = 0;

  constructor(private readonly origin: Origin) {}

  /** Sets the size of the server's header table. */
  resize(bytes: number): void {
    this.#encoder.resize(bytes);
  }

  /**
   * Writes the header block of a call. The caller must send every written block, in the order in which the blocks were
   * written.
   */
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
    // Do not store a block that added entries to the table, because the next call refers to these entries by their
    // index.
    if (!mustAnnounce && encoder.count === count) this.#keep(path, metadata, bytes);
    return bytes;
  }

  #keep(path: string, metadata: readonly HeaderField[], bytes: Buffer): void {
    if (this.#keptBlocks >= maxBlocks) {
      this.#kept.clear();
      this.#keptBlocks = 0;
    }
    const byPath = this.#kept.get(metadata) ?? new Map<string, CachedBlock>();
    this.#kept.set(metadata, byPath);
    if (!byPath.has(path)) this.#keptBlocks++;
    byPath.set(path, { bytes, count: this.#encoder.count, generation: this.#encoder.generation });
  }
}

function timeoutText(timeoutMs: number): string {
  return timeoutMs <= maxTimeoutMs ? `${timeoutMs}m` : `${Math.ceil(timeoutMs / 1_000)}S`;
}
