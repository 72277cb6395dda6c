import { fork } from "node:child_process";
import { once } from "node:events";
import { expect, it, vi } from "vitest";
import { closeOnExit } from "../../src/usage/buffer/close.ts";
import { createEventBuffer } from "../../src/usage/index.ts";
import { createClient } from "../../versions/2025-01/index.ts";
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

it("closeOnExit leaves it to another listener to end the process, and does not repeat the signal", async () => {
  expect(await run("listen", "SIGTERM")).toEqual({ stored: 1, exitCode: 7, signalCode: null });
});

it("closeOnExit does not keep a process running that has nothing left to do", async () => {
  expect(await run("end")).toEqual({ stored: 1, exitCode: 0, signalCode: null });
});

const EVENTS = ["beforeExit", "SIGINT", "SIGTERM"] as const;
const listeners = () => EVENTS.map((event) => process.listenerCount(event));

it("closeOnExit ends the process also if closing fails", async () => {
  const stop = closeOnExit(() => Promise.reject(new Error("not sent")));
  const kill = vi.spyOn(process, "kill").mockReturnValue(true);
  for (const event of EVENTS) process.rawListeners(event).at(-1)?.();
  await expect
    .poll(() => kill.mock.calls)
    .toEqual([
      [process.pid, "SIGINT"],
      [process.pid, "SIGTERM"],
    ]);
  kill.mockRestore();
  stop();
});

it("closeOnExit listens until the buffer is closed", async () => {
  const server = await started();
  const billing = createClient({ baseUrl: server.url, accessToken: server.mock.issueToken() });
  const before = listeners();
  const usage = createEventBuffer(billing, { closeOnExit: true });
  expect(listeners()).toEqual(before.map((count) => count + 1));
  await usage.close();
  expect(listeners()).toEqual(before);
});
