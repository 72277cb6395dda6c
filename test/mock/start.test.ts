import { describe, expect, it } from "vitest";
import { createMock } from "../../mock/browser.ts";

it("a mock for the browser has the same seed every time, also if its option is undefined", () => {
  expect(createMock({ seed: undefined }).issueToken()).toBe(createMock().issueToken());
});

describe("mock.start of mock/browser", () => {
  it.each([
    [{ quite: true }, 'mock.start: unknown option "quite". Did you mean "quiet"?'],
    [{ serviceWorkerUrl: new URL("http://a.example/") }, "mock.start: `serviceWorkerUrl` must be a string"],
  ])("rejects %j", async (options, message) => {
    await expect(createMock().start(options as object)).rejects.toThrow(message);
  });

  it("rejects where there are no service workers", async () => {
    await expect(createMock().start()).rejects.toThrow("mock.start: service workers are not available.");
  });
});
