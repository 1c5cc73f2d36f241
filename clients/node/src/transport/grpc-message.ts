/** Decodes gRPC's percent-encoding. Text that is not encoded this way is returned unchanged. */
export function decodeMessage(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
