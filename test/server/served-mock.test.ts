import { expect, test } from "vitest";
import { serveMock } from "../support/server-door.ts";

test("a server for one test starts in a few milliseconds", async () => {
  await (await serveMock()).close();
  const begun = performance.now();
  const served = await Promise.all(Array.from({ length: 20 }, () => serveMock({ seed: 1 })));
  expect(new Set(served.map(({ url }) => url)).size).toBe(20);
  await Promise.all(served.map(({ close }) => close()));
  expect((performance.now() - begun) / 20).toBeLessThan(100);
});
