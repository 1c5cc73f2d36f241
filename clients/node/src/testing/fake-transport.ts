import { Buffer } from "node:buffer";
import type { Call } from "../calls/call.js";
import type { ScheduledTask } from "../calls/clock.js";
import { microtask } from "../calls/system-timers.js";
import type { Failure } from "../client/errors.js";
import type { Operation } from "../operations/operation.js";
import { ProtoReader } from "../operations/proto-reader.js";
import { ProtoWriter } from "../operations/proto-writer.js";
import { unreadable } from "../transport/pipeline-session.js";
import type { Transport } from "../transport/transport.js";
import { failureOf, stoppedMessage } from "./call-rejection.js";
import type { FakeOperation } from "./fake-faults.js";
import type { FakeHost } from "./fake-host.js";

/** One attempt of a call, used as the call's `handle`. */
class FakeAttempt {
  over = false;
  delay: ScheduledTask | null = null;
}

/** Passes a client's calls to a fake server. The messages are encoded, but there is no network. */
export class FakeTransport implements Transport {
  readonly pipelined = false;
  #closed = false;

  constructor(private readonly host: FakeHost) {}

  get connections(): number {
    return this.#closed || this.host.isStopped ? 0 : 1;
  }

  get refusal(): string | null {
    return this.host.isStopped ? stoppedMessage : null;
  }

  describe(): string {
    return this.host.isStopped ? `unavailable: ${stoppedMessage}` : "a fake server in this process";
  }

  send(call: Call): void {
    const request = encoded(call.operation);
    const attempt = new FakeAttempt();
    call.handle = attempt;
    const { faults, clock } = this.host;
    const operation = call.operation.kind.name as FakeOperation;
    this.host.count(operation);
    const fault = faults.take(operation);
    const end = () => {
      if (attempt.over) return;
      call.handle = null;
      if (fault !== null && fault.status !== null) call.owner.failed(call, injected(fault.status));
      else this.#answer(call, request);
    };
    if (fault !== null && fault.delayMs > 0) attempt.delay = clock.schedule(end, fault.delayMs);
    else microtask(end);
  }

  abandon(call: Call): void {
    const attempt = call.handle as FakeAttempt | null;
    call.handle = null;
    if (attempt === null) return;
    attempt.over = true;
    attempt.delay?.cancel();
  }

  connect(): Promise<void> {
    return this.host.isStopped ? Promise.reject(new Error(stoppedMessage)) : Promise.resolve();
  }

  close(): void {
    this.#closed = true;
  }

  #answer(call: Call, request: Buffer): void {
    const { kind, cacheName } = call.operation;
    let answer: Buffer;
    try {
      answer = this.host.execute(kind.path, cacheName, request);
    } catch (error) {
      call.owner.failed(call, failureOf(error));
      return;
    }
    let response: unknown;
    try {
      response = call.operation.decode(new ProtoReader(answer));
    } catch (error) {
      call.owner.failed(call, unreadable(error));
      return;
    }
    call.owner.answered(call, response);
  }
}

/** Returns the failure of a call into which a test injected an error. */
export function injected(status: number): Failure {
  return { status, message: "a test injected this failure", notExecuted: false };
}

function encoded(operation: Operation<unknown>): Buffer {
  const writer = new ProtoWriter(operation.measure() + 16);
  operation.encode(writer);
  return Buffer.from(writer.written());
}
