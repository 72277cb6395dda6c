import { expect, test } from "vitest";
import { started } from "../support/started-server.ts";

const MEBIBYTE = 1024 * 1024;
const LIMIT = 64 * MEBIBYTE;

/** Returns a JSON object of `bytes` bytes. */
const bodyOf = (bytes: number) => `{"name":"${"x".repeat(bytes - 11)}"}`;

test("a control body of 65 MB gets 413, with or without Content-Length", async () => {
  const { url, mock } = await started();
  const body = bodyOf(65 * MEBIBYTE);
  const before = mock.organizations.size;
  for (const sent of [body, new Blob([body]).stream()]) {
    const init = { method: "POST", body: sent, duplex: "half" } as RequestInit;
    const response = await fetch(`${url}/__mock/organizations`, init);
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({ error: "BodyTooLarge", detail: expect.stringContaining(String(LIMIT)) });
  }
  expect(mock.organizations.size).toBe(before);
});
