import { fork } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { started } from "../support/started-server.ts";

/** Runs a process, sends it a signal when it has added an event, and returns how it ended. */
async function run(mode: string, signal?: NodeJS.Signals) {
  const server = await started();
  const file = new URL("./exiting-process.ts", import.meta.url);
  const child = fork(file, [server.url, server.mock.issueToken(), mode], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const exited = once(child, "exit");
  await once(child, "message");
  if (signal !== undefined) child.kill(signal);
  await exited;
  const { exitCode, signalCode } = child;
  return { stored: server.mock.events.size, exitCode, signalCode };
}

it.each(["SIGTERM", "SIGINT"] as const)(
  "closeOnExit sends what is queued on %s, which then ends the process",
  async (signal) => {
    expect(await run("wait", signal)).toEqual({ stored: 1, exitCode: null, signalCode: signal });
  },
);

it("closeOnExit leaves it to another listener to end the process", async () => {
  expect(await run("listen", "SIGTERM")).toEqual({ stored: 1, exitCode: 7, signalCode: null });
});

it("closeOnExit does not keep a process running that has nothing left to do", async () => {
  expect(await run("end")).toEqual({ stored: 1, exitCode: 0, signalCode: null });
});
