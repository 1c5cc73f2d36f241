import { Buffer } from "node:buffer";

/** The HTTP/2 frame types (RFC 9113) that a client uses. */
export const FrameType = {
  data: 0,
  headers: 1,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const FrameFlag = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

/** The HTTP/2 settings. */
export const Setting = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
} as const;

export const connectionPreface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
export const frameHeaderBytes = 9;
export const defaultWindowBytes = 65_535;
export const defaultFrameBytes = 16_384;
/** The id of a client's first stream. A pipeline connection has only this stream. */
export const streamId = 1;

/** Writes a frame header at the start of `into`. */
export function writeFrameHeader(into: Buffer, length: number, type: number, flags: number, stream: number): void {
  into[0] = length >>> 16;
  into[1] = length >>> 8;
  into[2] = length;
  into[3] = type;
  into[4] = flags;
  into.writeUInt32BE(stream, 5);
}

/** Returns one complete frame. */
export function frameOf(type: number, flags: number, stream: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const frame = Buffer.allocUnsafe(frameHeaderBytes + payload.length);
  writeFrameHeader(frame, payload.length, type, flags, stream);
  frame.set(payload, frameHeaderBytes);
  return frame;
}

export function settingsFrame(settings: readonly (readonly [setting: number, value: number])[]): Buffer {
  const payload = Buffer.alloc(settings.length * 6);
  settings.forEach(([setting, value], i) => {
    payload.writeUInt16BE(setting, i * 6);
    payload.writeUInt32BE(value, i * 6 + 2);
  });
  return frameOf(FrameType.settings, 0, 0, payload);
}

export function windowUpdateFrame(stream: number, bytes: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(bytes);
  return frameOf(FrameType.windowUpdate, 0, stream, payload);
}

/**
 * Returns the frames for a header block of any length. No frame is larger than the size that every server must accept.
 */
export function headerFrames(block: Buffer, stream = streamId): Buffer[] {
  const frames: Buffer[] = [];
  for (let start = 0; start === 0 || start < block.length; start += defaultFrameBytes) {
    const part = block.subarray(start, start + defaultFrameBytes);
    const flags = start + part.length === block.length ? FrameFlag.endHeaders : 0;
    frames.push(frameOf(start === 0 ? FrameType.headers : FrameType.continuation, flags, stream, part));
  }
  return frames;
}

// The receive window of the connection and of each stream, 1 MiB. The server uses the same size for its windows. It is
// so large that a burst of responses does not wait for credit.
export const ownWindowBytes = 1 << 20;
export const ownMaxFrameBytes = 1 << 16;

/** The first bytes that a client sends on a connection: the preface, its settings, and credit for all its streams. */
export const connectionOpening = Buffer.concat([
  connectionPreface,
  settingsFrame([
    [Setting.enablePush, 0],
    [Setting.initialWindowSize, ownWindowBytes],
    [Setting.maxFrameSize, ownMaxFrameBytes],
  ]),
  windowUpdateFrame(0, ownWindowBytes - defaultWindowBytes),
]);
