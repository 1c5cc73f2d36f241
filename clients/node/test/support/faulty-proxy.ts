import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** One proxied connection: the sockets to the client and to the server. */
interface Pair {
  readonly near: Socket;
  readonly far: Socket;
  /** The number of response bytes to forward before the connection is reset. Null if all bytes are forwarded. */
  answersLeft: number | null;
  silent: boolean;
}

/** A proxy between client and server that breaks its current connections. Later connections are not affected. */
export class FaultyProxy {
  readonly #pairs = new Set<Pair>();

  private constructor(
    private readonly server: Server,
    /** The port to which new connections are forwarded. */
    public targetPort: number,
  ) {}

  static async before(targetPort: number): Promise<FaultyProxy> {
    const server = createServer();
    const proxy = new FaultyProxy(server, targetPort);
    server.on("connection", (near) => proxy.#carry(near));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get endpoint(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }
  get connections(): number {
    return [...this.#pairs].filter(({ silent }) => !silent).length;
  }

  /** Drops all further bytes in both directions, without closing the connections. */
  silence(): void {
    for (const pair of this.#pairs) pair.silent = true;
  }

  /**
   * Forwards this number of response bytes on each connection, and then resets the connection in the middle of a
   * response.
   */
  cutAnswersAfter(bytes: number): void {
    for (const pair of this.#pairs) pair.answersLeft = bytes;
  }

  /** Resets every connection except the silenced ones. */
  reset(): void {
    for (const pair of this.#pairs) if (!pair.silent) this.#reset(pair);
  }

  stop(): void {
    for (const pair of this.#pairs) this.#reset(pair);
    this.server.close();
    this.server.unref();
  }

  #carry(near: Socket): void {
    const far = connect(this.targetPort, "127.0.0.1");
    const pair: Pair = { near, far, answersLeft: null, silent: false };
    this.#pairs.add(pair);
    near.setNoDelay(true);
    far.setNoDelay(true);
    near.on("data", (chunk) => pair.silent || far.write(chunk));
    far.on("data", (chunk) => this.#answer(pair, chunk));
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      socket.on("error", () => {});
      socket.on("close", () => {
        this.#pairs.delete(pair);
        if (!pair.silent) other.destroy();
      });
    }
  }

  #answer(pair: Pair, chunk: Buffer): void {
    if (pair.silent) return;
    if (pair.answersLeft === null) pair.near.write(chunk);
    else if (chunk.length < pair.answersLeft) {
      pair.answersLeft -= chunk.length;
      pair.near.write(chunk);
    } else {
      const part = chunk.subarray(0, pair.answersLeft);
      pair.answersLeft = 0;
      // Reset only when this part has been written, because a reset discards unsent data.
      pair.near.write(part, () => this.#reset(pair));
      pair.silent = true;
    }
  }

  #reset(pair: Pair): void {
    this.#pairs.delete(pair);
    pair.near.resetAndDestroy();
    pair.far.resetAndDestroy();
  }
}
