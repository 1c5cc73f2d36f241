import type { Buffer } from "node:buffer";
import type { Call } from "../calls/call.js";
import type { SilenceDetector } from "../calls/silence-detector.js";
import { nextTick, overdueFlushMs } from "../calls/system-timers.js";
import { type Failure, Status } from "../client/errors.js";
import type { Hit, Miss } from "../client/responses.js";
import { NearBatchParser } from "../near/near-batch-parser.js";
import type { NearGet } from "../near/near-get.js";
import type { NearStream } from "../near/near-stream.js";
import { BatchResultParser } from "../operations/batch-result-parser.js";
import { ProtoError, type ProtoReader } from "../operations/proto-reader.js";
import { byteLength, fieldLength, ProtoWriter, varintLength } from "../operations/proto-writer.js";

/** Sends the messages of a session. */
export interface MessageSink {
  /** Whether all written bytes have been sent. */
  readonly isDrained?: boolean;
  /** The silence detector of the connection. It is notified when a call starts to wait for a response. */
  readonly silence?: SilenceDetector;
  write(bytes: Uint8Array, written: () => void): void;
}

/** Receives the events of a session that concern more than one call. */
export interface SessionOwner {
  /**
   * Called when the value of a get is too large for the pipeline. The call must be sent again as a unary call (PIPE-9).
   */
  useUnary(call: Call): void;
  /** Called when the server accepts no more calls on this stream (PIPE-12). */
  draining(): void;
  /** Called when a call got its response and no other caller is waiting for a response. */
  idle(): void;
}

// PIPE-8: when a message reaches this size, the next call begins a new message.
const messageBytes = 65_536;
// Initial size of the two buffers. It is small for the same reason as in `Http2Output`. The buffers grow with the
// amount of data that is sent at once. If a buffer has grown above `keptBufferBytes` for large values, it is replaced
// after use.
const firstBufferBytes = 1 << 12;
const keptBufferBytes = 1 << 18;
// If this number of bytes was passed to the connection and not yet sent, further calls are collected in the buffer and
// sent together later.
const outstandingBytes = 1 << 18;
// The tag of the field `near` in an operation, and the tags of the near-cache fields in its result.
const nearTag = 512;
const nearBytes = 3;
const ticketTag = 512;
const ttlLeftTag = 520;
const abandoned = Symbol("abandoned call");

/**
 * The calls of one pipeline stream. It assigns their ids, combines the calls of one event-loop turn into one message,
 * and reads their responses.
 */
export class PipelineSession {
  readonly #slots: (Call | typeof abandoned | null)[] = [];
  readonly #freeIds: number[] = [];
  readonly #parser: BatchResultParser | NearBatchParser;
  // The near gets in flight. The index is the id.
  readonly #nearGets: (NearGet | undefined)[] = [];
  #writer = new ProtoWriter(firstBufferBytes);
  readonly #idleWriters: ProtoWriter[] = [new ProtoWriter(firstBufferBytes)];
  #messageStart = -1;
  // Number of bytes passed to the sink, and number of bytes that the sink has sent.
  #handed = 0;
  #takenUpTo = 0;
  #flushScheduled = false;
  // The time of the current turn. It is read once for all calls of the turn. -1 if it was not read yet.
  #turnAt = -1;
  #inUse = 0;
  // Number of calls whose caller is waiting. The near cache's own operations are not counted, because they have no
  // caller.
  #callers = 0;
  #closed = false;

  constructor(
    private readonly sink: MessageSink,
    private readonly owner: SessionOwner,
    /** The cache name in the metadata of the stream. */
    private readonly streamCache: string,
    /** Maximum number of ids in use, including the ids of abandoned calls (PIPE-16). */
    private readonly maxIds: number,
    private readonly now: () => number,
    /** The version of the provider's token with which the stream was opened. Undefined if there is no provider. */
    readonly tokenVersion?: number,
    /** The near-cache side of the stream. Null if there is no near cache. */
    readonly near: NearStream | null = null,
  ) {
    const results = { result: (reader: ProtoReader) => this.#result(reader), draining: () => owner.draining() };
    this.#parser =
      near === null
        ? new BatchResultParser(results)
        : new NearBatchParser({
            ...results,
            invalidated: (tickets) => near.invalidated(tickets),
            cleared: () => near.cleared(),
          });
  }

  /** Returns the number of ids in use, including the ids of abandoned calls. */
  get inUse(): number {
    return this.#inUse;
  }

  /** Returns the number of calls whose caller is waiting. */
  get callers(): number {
    return this.#callers;
  }

  /** Returns whether an id is free for another call. */
  get hasRoom(): boolean {
    return this.#inUse < this.maxIds;
  }

  /**
   * Writes a call. It is sent together with all other calls of this event-loop turn.
   * @throws The exceptions of encoding. The session is unchanged in that case.
   */
  send(call: Call): void {
    const id = this.#freeIds.pop() ?? this.#slots.length;
    const before = this.#writer.length;
    const messageBefore = this.#messageStart;
    const get = this.near?.getOf(call.operation) ?? null;
    try {
      this.#encode(call, id, get !== null);
    } catch (error) {
      this.#takeBack(id, before, messageBefore);
      throw error;
    }
    if (get !== null) this.#nearGets[id] = this.near!.begin(get);
    this.#slots[id] = call;
    this.#inUse++;
    if (call.owner !== this.near) this.#callers++;
    this.sink.silence?.begin(this.#turnAt);
    call.handle = this;
    call.id = id;
    this.#scheduleFlush();
  }

  // Undoes a call that could not be encoded. If a message was ended to make room for this call, that message stays
  // ended.
  #takeBack(id: number, length: number, messageStart: number): void {
    if (id < this.#slots.length) this.#freeIds.push(id);
    const opened = this.#messageStart !== messageStart;
    this.#writer.truncate(length);
    this.#messageStart = opened ? -1 : messageStart;
  }

  /**
   * Abandons a call whose caller has cancelled or timed out. The server is asked to drop the call. The call's id stays
   * in use until the response arrives (PIPE-2).
   */
  abandon(id: number): void {
    this.#slots[id] = abandoned;
    this.#callers--;
    // If `nextTick` is fake, the scheduled flush may never have run.
    if (this.#flushScheduled && this.#turnAt >= 0 && this.now() - this.#turnAt > overdueFlushMs) this.#flush();
    if (this.near !== null) this.#nearFailed(id);
    const writer = this.#writer;
    writer.reserve(32);
    this.#openMessage();
    writer.byte(10);
    writer.byte(1 + varintLength(id) + 2);
    writer.byte(8);
    writer.varint(id);
    writer.byte(58);
    writer.byte(0);
    this.#scheduleFlush();
  }

  /**
   * Parses bytes from the server.
   * @throws ProtoError if the stream is invalid.
   */
  received(chunk: Buffer): void {
    this.#parser.push(chunk);
    this.near?.turnOver();
  }

  /**
   * Ends the session after the stream was lost. Returns the calls that have no response. If the session has already
   * ended, returns an empty array.
   */
  end(): Call[] {
    this.#closed = true;
    const calls = this.#slots.filter((slot): slot is Call => slot !== null && slot !== abandoned);
    if (this.near !== null) for (const id of this.#nearGets.keys()) this.#nearFailed(id);
    this.#slots.length = 0;
    this.#inUse = 0;
    this.#callers = 0;
    // Do not return the near cache's own operations, because they end with the stream.
    return this.near === null ? calls : calls.filter(({ owner }) => owner !== this.near);
  }

  #encode(call: Call, id: number, isNear: boolean): void {
    const { operation } = call;
    const bodyLength = operation.measure();
    const cache = operation.cacheName === this.streamCache ? "" : operation.cacheName;
    const cacheLength = cache === "" ? 0 : byteLength(cache);
    if (this.#turnAt < 0) this.#turnAt = this.now();
    const deadlineMs = Math.max(1, Math.ceil(call.deadlineAt - this.#turnAt));
    const tag = operation.kind.field * 8 + 2;
    const length =
      1 +
      varintLength(id) +
      (cacheLength === 0 ? 0 : fieldLength(cacheLength)) +
      1 +
      varintLength(deadlineMs) +
      (isNear ? nearBytes : 0) +
      varintLength(tag) -
      1 +
      fieldLength(bodyLength);
    const writer = this.#writer;
    writer.reserve(length + 16);
    this.#openMessage();
    writer.byte(10);
    writer.varint(length);
    writer.byte(8);
    writer.varint(id);
    if (cacheLength > 0) writer.bytesField(18, cache, cacheLength);
    writer.byte(24);
    writer.varint(deadlineMs);
    if (isNear) {
      writer.varint(nearTag);
      writer.byte(1);
    }
    writer.varint(tag);
    writer.varint(bodyLength);
    operation.encode(writer);
  }

  #openMessage(): void {
    if (this.#messageStart >= 0 && this.#writer.length - this.#messageStart < messageBytes) return;
    this.#sealMessage();
    this.#messageStart = this.#writer.length;
    for (let i = 0; i < 5; i++) this.#writer.byte(0);
  }

  #sealMessage(): void {
    if (this.#messageStart < 0) return;
    this.#writer.patchUint32(this.#messageStart + 1, this.#writer.length - this.#messageStart - 5);
    this.#messageStart = -1;
  }

  // Schedules a flush at the end of the turn, after its promise callbacks and the calls that these callbacks make.
  #scheduleFlush(): void {
    if (this.#flushScheduled) return;
    this.#flushScheduled = true;
    nextTick(this.#flush);
  }

  // Returns the number of bytes that were passed to the sink and not yet sent. The callbacks of the sink report sent
  // bytes. If a test replaces `nextTick`, the callbacks may never run. In that case, a drained sink shows that all
  // bytes were sent.
  get #outstanding(): number {
    const outstanding = this.#handed - this.#takenUpTo;
    if (outstanding < outstandingBytes || this.sink.isDrained !== true) return outstanding;
    this.#takenUpTo = this.#handed;
    return 0;
  }

  readonly #flush = (): void => {
    this.#flushScheduled = false;
    this.#turnAt = -1;
    this.near?.turnOver();
    if (this.#closed || this.#writer.length === 0 || this.#outstanding >= outstandingBytes) return;
    this.#sealMessage();
    const full = this.#writer;
    const bytes = full.written();
    this.#writer = this.#idleWriters.pop() ?? new ProtoWriter(firstBufferBytes);
    this.#handed += bytes.length;
    const handed = this.#handed;
    this.sink.write(bytes, () => {
      this.#takenUpTo = handed;
      full.clear(keptBufferBytes);
      if (this.#idleWriters.length < 2) this.#idleWriters.push(full);
      if (this.#writer.length > 0) this.#flush();
    });
  };

  #result(reader: ProtoReader): void {
    let id = 0;
    let field = 0;
    let start = 0;
    let end = 0;
    let ticket = 0;
    let ttlLeftMs = 0;
    const last = reader.end;
    while (reader.position < last) {
      const tag = reader.varint();
      if (tag === 8) id = reader.varint();
      else if ((tag & 7) === 2) {
        field = tag >>> 3;
        end = reader.fieldEnd();
        start = reader.position;
        reader.position = end;
      } else if (tag === ticketTag) ticket = reader.varint();
      else if (tag === ttlLeftTag) ttlLeftMs = reader.varint();
      else reader.skip(tag);
    }
    const slot = this.#slots[id] ?? null;
    if (slot === null) throw new ProtoError(`the server sent a result for call ${id}, which is not in flight`);
    this.#slots[id] = null;
    this.#freeIds.push(id);
    this.#inUse--;
    if (slot !== abandoned) {
      if (slot.owner !== this.near) this.#callers--;
      reader.position = start;
      reader.end = end;
      const get = this.near === null ? undefined : this.#takeNearGet(id);
      this.#complete(slot, field, reader, get, ticket, ttlLeftMs);
      reader.position = last;
    }
    if (this.#callers === 0) this.owner.idle();
  }

  #complete(
    call: Call,
    field: number,
    reader: ProtoReader,
    get: NearGet | undefined,
    ticket: number,
    ttlLeftMs: number,
  ): void {
    call.handle = null;
    let response: unknown;
    let failure: Failure | null = null;
    try {
      if (field === call.operation.kind.field) response = call.operation.decode(reader);
      else if (field === 2) failure = readCallStatus(reader, this.tokenVersion);
      else if (field !== 3) failure = unreadable(new ProtoError(`unexpected field ${field} in the response`));
    } catch (error) {
      failure = unreadable(error);
    }
    if (get !== undefined) this.near!.getEnded(get, (response ?? null) as Hit | Miss | null, ticket, ttlLeftMs);
    if (failure !== null) call.owner.failed(call, failure);
    else if (field === 3) this.owner.useUnary(call);
    else call.owner.answered(call, response, get !== undefined);
  }

  // Removes the near get of an id and returns it.
  #takeNearGet(id: number): NearGet | undefined {
    const get = this.#nearGets[id];
    this.#nearGets[id] = undefined;
    return get;
  }

  #nearFailed(id: number): void {
    const get = this.#takeNearGet(id);
    if (get !== undefined) this.near!.getEnded(get, null, 0, 0);
  }
}

/**
 * Returns the failure of a call whose response cannot be decoded. Invalid bytes must end only that call, not the
 * process.
 */
export function unreadable(error: unknown): Failure {
  const message = `the server's response could not be decoded: ${error instanceof Error ? error.message : error}`;
  return { status: Status.dataLoss, message, notExecuted: false };
}

function readCallStatus(reader: ProtoReader, tokenVersion: number | undefined): Failure {
  let status: number = Status.unknown;
  let message = "";
  let cause: string | undefined;
  while (reader.more) {
    const tag = reader.varint();
    if (tag === 8) status = reader.varint();
    else if (tag === 18) message = reader.text();
    else if (tag === 26) cause = reader.text();
    else reader.skip(tag);
  }
  return { status, message, cause, notExecuted: cause === "not_executed", rejectedTokenVersion: tokenVersion };
}
