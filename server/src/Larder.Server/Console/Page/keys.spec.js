// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { chosenOf } from "./keys.js";

test("chosenOf picks the only, chosen or last viewed cache", () => {
  assert.equal(chosenOf([], "", ""), "");
  assert.equal(chosenOf(["only"], "", ""), "only");
  assert.equal(chosenOf(["archive", "sessions"], "", ""), "");
  assert.equal(chosenOf(["archive", "sessions"], "", "sessions"), "sessions");
  assert.equal(chosenOf(["archive", "sessions"], "archive", "sessions"), "archive");
  assert.equal(chosenOf(["archive", "sessions"], "", "deleted"), "");
});
