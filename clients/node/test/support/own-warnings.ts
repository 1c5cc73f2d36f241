import type { TestContext } from "node:test";

/** Collects the process warnings that this package emits between this call and the end of the test. */
export function warningsIn(context: TestContext): string[] {
  const warnings: string[] = [];
  const listener = ({ name, message }: Error) => {
    if (name === "LarderWarning") warnings.push(message);
  };
  process.on("warning", listener);
  context.after(() => process.off("warning", listener));
  return warnings;
}
