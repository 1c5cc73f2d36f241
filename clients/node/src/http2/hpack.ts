import { Buffer } from "node:buffer";

// RFC 7541, appendix B: the code length in bits of each symbol, 0 to 255 and the end of a string. The code is
// canonical: codes increase by length and then by symbol.
const codeLengths = Buffer.from(
  "0d171c1c1c1c1c1c1c181e1c1c1e1c1c1c1c1c1c1c1c1e1c1c1c1c1c1c1c1c1c060a0a0c0d06080b0a0a080b08060606" +
    "0505050606060606060607080f060c0a0d06070707070707070707070707070707070707070707070807080d130d0e06" +
    "0f05060506050606060507070606060506070605050607070707070f0b0e0d1c14161414161616171617171717171817" +
    "181816171817171717151617161717181615141616171715171616181516171715151615171617171416161617161617" +
    "1a1a1413161716191a1a1a1b1b1a181913151a1b1b1a1b1815151a1a1c1b1b1b14181415161515171616191918181a17" +
    "1a1b1a1a1b1b1b1b1b1c1b1b1b1b1b1a1e",
  "hex",
);
const endOfString = 256;

// The names in the static table of RFC 7541, appendix A. The values are omitted, except those of statuses and of the
// client's own requests, because no other values are needed.
export const staticNames: readonly string[] = (
  ":authority :method :method :path :path :scheme :scheme :status :status :status :status :status :status :status " +
  "accept-charset accept-encoding accept-language accept-ranges accept access-control-allow-origin age allow " +
  "authorization cache-control content-disposition content-encoding content-language content-length " +
  "content-location content-range content-type cookie date etag expect expires from host if-match " +
  "if-modified-since if-none-match if-range if-unmodified-since last-modified link location max-forwards " +
  "proxy-authenticate proxy-authorization range referer refresh retry-after server set-cookie " +
  "strict-transport-security transfer-encoding user-agent vary via www-authenticate"
).split(" ");
const firstStatus = 8;
const statuses = ["200", "204", "206", "304", "400", "404", "500"];
// RFC 9113, section 6.5.2: the default maximum size of the table. The client does not change this size.
const maxTableBytes = 4_096;
// RFC 7541, section 4.1: the overhead of a table entry in addition to its text.
const entryBytes = 32;

// The static table entries whose value a request uses.
const staticFields = new Map([
  [":method\0POST", 3],
  [":path\0/", 4],
  [":scheme\0http", 6],
  [":scheme\0https", 7],
]);
const staticValues = new Map([...staticFields].map(([field, index]) => [index, field.slice(field.indexOf("\0") + 1)]));
const staticPlaces = new Map(staticNames.map((name, place) => [name, place + 1] as const).reverse());

/** Returns the index of a field, or of a name, in the static table. Returns 0 if the table does not contain it. */
export function staticIndexOf(name: string, value?: string): number {
  return (value === undefined ? staticPlaces.get(name) : staticFields.get(`${name}\0${value}`)) ?? 0;
}

/** Thrown if a header block violates RFC 7541. The connection cannot continue after it. */
export class MalformedHeaders extends Error {}

/** A decoded header block. It is used again if an identical block follows. */
interface CachedHeaders {
  readonly block: Buffer;
  readonly headers: Record<string, string>;
}

// The maximum number of stored blocks. The blocks that repeat are the headers and trailers of successful responses.
// Several servers behind one name may have different blocks.
const maxCachedBlocks = 4;
const maxCachedBlockBytes = 128;

type Field = readonly [name: string, value: string];

// The symbols by their code. The key is the code with an additional 1 bit in front, so that codes of different lengths
// have different keys.
const symbols = new Map<number, number>();
{
  const order = [...codeLengths.keys()].sort((a, b) => codeLengths[a]! - codeLengths[b]! || a - b);
  let code = 0;
  let last = 0;
  for (const symbol of order) {
    const length = codeLengths[symbol]!;
    code *= 2 ** (length - last);
    symbols.set(2 ** length + code, symbol);
    code++;
    last = length;
  }
}

/**
 * Encodes a header block with literals that are never indexed. The block is sent once per stream, so its size is not
 * important.
 */
export function encodeHeaders(headers: readonly Field[]): Buffer {
  return Buffer.concat(
    headers.flatMap(([name, value]) => [Buffer.from([0x10]), encodedText(name), encodedText(value)]),
  );
}

function encodedText(text: string): Buffer {
  const bytes = Buffer.from(text, "latin1");
  const length: number[] = [Math.min(bytes.length, 0x7f)];
  if (bytes.length >= 0x7f) {
    let rest = bytes.length - 0x7f;
    for (; rest > 0x7f; rest >>>= 7) length.push((rest & 0x7f) | 0x80);
    length.push(rest);
  }
  return Buffer.concat([Buffer.from(length), bytes]);
}

/** Decodes the header blocks of one connection, in order. The blocks share a table of at most 4,096 bytes. */
export class HeaderDecoder {
  readonly #table: Field[] = [];
  #tableBytes = 0;
  #tableLimit = maxTableBytes;
  #block: Buffer = Buffer.alloc(0);
  #at = 0;
  // The blocks that were decoded since the last change of the table. While the table does not change, the same bytes
  // have the same meaning.
  #kept: CachedHeaders[] = [];

  /**
   * Returns the headers, which must not be modified. If a name occurs twice, the last value wins.
   * @throws MalformedHeaders if the block is invalid.
   */
  decode(block: Buffer): Readonly<Record<string, string>> {
    const { length } = block;
    for (const kept of this.#kept) if (kept.block.length === length && kept.block.equals(block)) return kept.headers;
    this.#block = block;
    this.#at = 0;
    const before = this.#kept;
    const headers: Record<string, string> = Object.create(null);
    while (this.#at < block.length) {
      const field = this.#field();
      if (field === null) continue;
      const [name, value] = field;
      // A response with two different content lengths is invalid (RFC 9110, section 8.6).
      headers[name] = name === "content-length" && (headers[name] ?? value) !== value ? "" : value;
    }
    if (before === this.#kept && length <= maxCachedBlockBytes) this.#keep({ block: Buffer.from(block), headers });
    return headers;
  }

  #keep(kept: CachedHeaders): void {
    if (this.#kept.length >= maxCachedBlocks) this.#kept.shift();
    this.#kept.push(kept);
  }

  #field(): Field | null {
    const first = this.#block[this.#at]!;
    if ((first & 0x80) !== 0) return this.#entry(this.#integer(7));
    if ((first & 0x40) !== 0) {
      const field = this.#literal(6);
      this.#table.unshift(field);
      this.#tableBytes += sizeOf(field);
      this.#evict();
      this.#kept = [];
      return field;
    }
    if ((first & 0x20) === 0) return this.#literal(4);
    const limit = this.#integer(5);
    if (limit > maxTableBytes) throw new MalformedHeaders("a size update of the header table exceeds the limit");
    this.#tableLimit = limit;
    this.#evict();
    this.#kept = [];
    return null;
  }

  #literal(bits: number): Field {
    const index = this.#integer(bits);
    const name = index === 0 ? this.#text() : this.#entry(index)[0];
    return [name, this.#text()];
  }

  #entry(index: number): Field {
    const name = staticNames[index - 1];
    if (name !== undefined) return [name, statuses[index - firstStatus] ?? staticValues.get(index) ?? ""];
    const field = this.#table[index - staticNames.length - 1];
    if (index === 0 || field === undefined) throw new MalformedHeaders(`unknown index ${index} of the header table`);
    return field;
  }

  #evict(): void {
    while (this.#tableBytes > this.#tableLimit) this.#tableBytes -= sizeOf(this.#table.pop()!);
  }

  #byte(): number {
    const byte = this.#block[this.#at++];
    if (byte === undefined) throw new MalformedHeaders("the header block is truncated");
    return byte;
  }

  #integer(bits: number): number {
    const mask = 2 ** bits - 1;
    let number = this.#byte() & mask;
    if (number < mask) return number;
    for (let shift = 0; shift <= 28; shift += 7) {
      const byte = this.#byte();
      number += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return number;
    }
    throw new MalformedHeaders("an integer has more than five bytes");
  }

  #text(): string {
    const isCoded = (this.#block[this.#at]! & 0x80) !== 0;
    const length = this.#integer(7);
    const end = this.#at + length;
    if (end > this.#block.length) throw new MalformedHeaders("a string extends past the end of its header block");
    const bytes = this.#block.subarray(this.#at, end);
    this.#at = end;
    return isCoded ? decodeHuffman(bytes) : bytes.toString("latin1");
  }
}

function sizeOf([name, value]: Field): number {
  return name.length + value.length + entryBytes;
}

function decodeHuffman(bytes: Buffer): string {
  let text = "";
  // The bits that have been read of the next code, with an additional 1 bit in front.
  let code = 1;
  for (const byte of bytes)
    for (let bit = 7; bit >= 0; bit--) {
      code = code * 2 + ((byte >>> bit) & 1);
      const symbol = symbols.get(code);
      if (symbol === undefined) {
        if (code >= 2 ** 31) throw new MalformedHeaders("unknown Huffman code");
        continue;
      }
      if (symbol === endOfString) throw new MalformedHeaders("a string contains the end-of-string code");
      text += String.fromCharCode(symbol);
      code = 1;
    }
  // The remaining bits must be padding. Padding is shorter than eight bits and a prefix of the end-of-string code,
  // which consists of ones.
  if (code >= 2 ** 8 || ((code + 1) & code) !== 0) throw new MalformedHeaders("invalid padding of a string");
  return text;
}
