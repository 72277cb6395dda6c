import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { billing } from "../support/command.ts";

test("--help lists every command, and each command has its own help with its exit codes", async () => {
  const { stdout, code } = await billing(["--help"]).ended;
  expect(code).toBe(0);
  const commands = [...stdout.matchAll(/^ {2}(\w+) {2,}[A-Z]/gm)].map(([, name]) => name as string);
  expect(commands).toEqual(["mock", "ingest", "trigger", "verify", "upgrade"]);
  for (const name of commands) {
    const own = await billing([name, "--help"]).ended;
    expect(own).toMatchObject({ code: 0, stderr: "" });
    expect(own.stdout).toMatch(new RegExp(`^billing ${name}: `));
    expect(own.stdout).toContain("Exit codes: 0 ");
    expect(Math.max(...own.stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(110);
  }
});

test("--version prints the version of the package", async () => {
  expect(await billing(["--version"]).ended).toMatchObject({ stdout: `${manifest.version}\n`, code: 0 });
});

test.each([
  [[], "billing: no command given; see billing --help."],
  [["trigge"], "billing: Unknown command 'trigge'. Did you mean 'trigger'?"],
  [["publish"], "billing: Unknown command 'publish'; expected one of: mock, ingest, trigger, verify, upgrade."],
  [["toString"], "billing: Unknown command 'toString'; expected one of: mock, ingest, trigger, verify, upgrade."],
  [["__proto__"], "billing: Unknown command '__proto__'; expected one of: mock, ingest, trigger, verify, upgrade."],
  [["--verson"], "billing: Unknown option '--verson'. Did you mean '--version'?"],
  [["trigger", "order.paid", "--dat", "{}"], "billing trigger: Unknown option '--dat'. Did you mean '--data'?"],
  [
    ["trigger", "order.paid", "--frobnicate"],
    "billing trigger: Unknown option '--frobnicate'; see billing trigger --help.",
  ],
])("%j prints one line on stderr and exits with 2", async (args, line) => {
  expect(await billing(args).ended).toEqual({ stdout: "", stderr: `${line}\n`, code: 2 });
});
