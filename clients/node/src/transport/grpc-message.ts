/** Decodes gRPC's percent-encoding. If the text is not encoded in this way, returns it unchanged. */
export function decodeMessage(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
