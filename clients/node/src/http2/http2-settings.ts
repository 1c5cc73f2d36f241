import type { Buffer } from "node:buffer";
import { Http2Error } from "./http2-frame-reader.js";
import { defaultFrameBytes, Setting } from "./http2-frames.js";

/** The maximum window size (RFC 9113, section 6.9.1). */
export const maxWindow = 2 ** 31 - 1;

/**
 * Calls `tell` for each setting in a SETTINGS frame.
 * @throws Http2Error if a setting is out of range.
 */
export function readSettings(stream: number, payload: Buffer, tell: (setting: number, value: number) => void): void {
  if (stream !== 0 || payload.length % 6 !== 0) throw new Http2Error("invalid SETTINGS frame");
  for (let at = 0; at < payload.length; at += 6) {
    const setting = payload.readUInt16BE(at);
    const value = payload.readUInt32BE(at + 2);
    if (setting === Setting.enablePush && value !== 0) throw new Http2Error("invalid ENABLE_PUSH setting");
    if (setting === Setting.initialWindowSize && value > maxWindow)
      throw new Http2Error("INITIAL_WINDOW_SIZE is out of range");
    if (setting === Setting.maxFrameSize && (value < defaultFrameBytes || value > 0xffffff))
      throw new Http2Error("MAX_FRAME_SIZE is out of range");
    tell(setting, value);
  }
}

/** Returns the increment of a WINDOW_UPDATE frame. */
export function windowIncrement(payload: Buffer): number {
  if (payload.length !== 4) throw new Http2Error("invalid WINDOW_UPDATE frame");
  return payload.readUInt32BE() & maxWindow;
}
