import type { Buffer } from "node:buffer";
import type { HeaderBlock } from "./header-block.js";
import { Http2Error } from "./http2-frame-reader.js";
import { FrameFlag, FrameType } from "./http2-frames.js";
import { maxWindow, windowIncrement } from "./http2-settings.js";

/** Receives the parsed frames of a connection, except DATA frames. */
export interface ControlListener {
  /** Called with the bytes of a complete header block. The `stream` of the `HeaderBlock` is the block's stream. */
  headerBlockReceived(block: Buffer): void;
  settingsReceived(flags: number, stream: number, payload: Buffer): void;
  windowUpdateReceived(stream: number, bytes: number): void;
  /** Called when the server has sent a ping. The listener must acknowledge it. */
  pingReceived(payload: Buffer): void;
  /** Called when the server has acknowledged a ping. */
  pingAcknowledged(): void;
  resetReceived(stream: number, code: number): void;
  /**
   * Called for a GOAWAY frame: the server did not and will not process streams above `last` (RFC 9113, section 6.8).
   */
  goawayReceived(last: number, code: number): void;
}

/**
 * Parses a frame that is not a DATA frame. The caller has already checked the order of the frames.
 * @throws Http2Error if the frame is invalid.
 */
export function readControlFrame(
  listener: ControlListener,
  block: HeaderBlock,
  type: number,
  flags: number,
  stream: number,
  payload: Buffer,
): void {
  switch (type) {
    case FrameType.headers:
    case FrameType.continuation: {
      const whole =
        type === FrameType.headers ? block.begin(flags, stream, payload) : block.continue(flags, stream, payload);
      if (whole !== null) listener.headerBlockReceived(whole);
      break;
    }
    case FrameType.settings:
      listener.settingsReceived(flags, stream, payload);
      break;
    case FrameType.windowUpdate:
      listener.windowUpdateReceived(stream, windowIncrement(payload));
      break;
    case FrameType.ping:
      if (stream !== 0 || payload.length !== 8) throw new Http2Error("invalid PING frame");
      if ((flags & FrameFlag.ack) !== 0) listener.pingAcknowledged();
      else listener.pingReceived(payload);
      break;
    case FrameType.rstStream:
      if (payload.length !== 4) throw new Http2Error("invalid RST_STREAM frame");
      listener.resetReceived(stream, payload.readUInt32BE());
      break;
    case FrameType.goaway:
      if (payload.length < 8) throw new Http2Error("invalid GOAWAY frame");
      listener.goawayReceived(payload.readUInt32BE() & maxWindow, payload.readUInt32BE(4));
      break;
    case FrameType.pushPromise:
      throw new Http2Error("unexpected PUSH_PROMISE frame");
    default:
    // Ignore unknown frames (RFC 9113, section 5.5).
  }
}
