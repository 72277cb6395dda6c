import { expect, test } from "vitest";
import { help } from "../../cli/mock/arguments.ts";

test("--help states the limits and their defaults", () => {
  const words = help.replaceAll(/\s+/g, " ");
  expect(words).toContain(
    "--max-events <number> Maximum number of stored usage events; a batch that would exceed it gets a 507 (default: 100000)",
  );
  expect(words).toContain("--grace <ms> How long active requests may take after Ctrl+C or SIGTERM (default: 5000)");
});
