import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };

it("scripts/setup.mjs passes on the arguments, the output and the exit code of a command", () => {
  const command = ["node", "--print", "process.exitCode=process.argv.length", "a", "b"];
  const { status, stdout } = spawnSync("node", ["scripts/setup.mjs", ...command], { encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 3, stdout: "3\n" });
});

it("every script works in a fresh clone: it installs first, unless it only runs npm", () => {
  const others = Object.values(manifest.scripts).filter((command) => !/^(node scripts\/setup\.mjs|npm) /.test(command));
  expect(others).toEqual([]);
});
