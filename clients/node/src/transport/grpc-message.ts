/** Undoes gRPC's percent-encoding; text that is not so encoded is left as it is. */
export function decodeMessage(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
