// The maximum length of an exception's text in a warning. Without a limit, the text could have any length.
const maxCharacters = 200;

/** Returns the text of any thrown value. Never throws, even if the text cannot be read. */
export function thrownText(error: unknown): string {
  try {
    return (error instanceof Error ? String(error.message) : String(error)).slice(0, maxCharacters);
  } catch {
    return "a value that cannot be printed";
  }
}
