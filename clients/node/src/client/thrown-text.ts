// Limits the length of a warning, because the text of an exception is unbounded.
const maxCharacters = 200;

/** Returns the text of anything that was thrown. Never throws, even if the text cannot be read. */
export function thrownText(error: unknown): string {
  try {
    return (error instanceof Error ? String(error.message) : String(error)).slice(0, maxCharacters);
  } catch {
    return "a value that cannot be printed";
  }
}
