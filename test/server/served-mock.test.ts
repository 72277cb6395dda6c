import { expect, test } from "vitest";
import { serveMock } from "../support/serve-mock.ts";

/** The processor time of this process in milliseconds, which does not depend on other programs. */
function work(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

test("a server for one test starts in a few milliseconds", async () => {
  await (await serveMock()).close();
  const before = work();
  const served = await Promise.all(Array.from({ length: 20 }, () => serveMock({ seed: 1 })));
  expect(new Set(served.map(({ url }) => url)).size).toBe(20);
  await Promise.all(served.map(({ close }) => close()));
  expect((work() - before) / 20).toBeLessThan(100);
});
