import { beforeAll, describe, expect, it } from "vitest";
import { progressLine } from "../../examples/terminal.ts";
import { createMock } from "../../mock/index.ts";
import { createClient } from "../../versions/2025-01/index.ts";
import { setup } from "../support/built.ts";
import { fileOf, goodLine } from "./run.ts";

/** The example imports the built package. */
let ingestFile: typeof import("../../examples/usage-file.ts").ingestFile;
beforeAll(async () => {
  await setup();
  ({ ingestFile } = await import("../../examples/usage-file.ts"));
}, 120_000);

/** The client is made from the sources, and the example names the types of the built package: to a compiler these are two. */
function service(maxRetries = 0) {
  const mock = createMock();
  const token = mock.issueToken();
  const billing: unknown = createClient({ accessToken: token, fetch: mock.fetch, maxRetries });
  return { mock, token, billing: billing as Parameters<typeof ingestFile>[0] };
}

const good = (amount: number) => Array.from({ length: amount }, (_, index) => goodLine(index + 1));

describe("ingesting a file", () => {
  it("accepts CRLF, blank lines, a byte order mark and a missing final line feed", async () => {
    const { billing } = service();
    const [first, second] = good(2);
    const file = fileOf(`\ufeff${first}\r\n\r\n   \r\n${second}`);
    expect(await ingestFile(billing, file)).toMatchObject({ lines: 2, inserted: 2, rejected: [] });
  });

  it("counts only line feeds: U+2028 inside a string does not end a line", async () => {
    const { billing, mock } = service();
    const odd = '{"name":"api.call","external_customer_id":"a","metadata":{"note":"one\u2028two"}}';
    const { rejected } = await ingestFile(billing, fileOf(`${odd}\nno JSON\n`));
    expect(rejected.map(({ line }) => line)).toEqual([2]);
    expect(mock.events.list()[0]?.metadata).toEqual({ note: "one\u2028two" });
  });

  it("rejects a line that is not UTF-8, and stores the others", async () => {
    const { billing } = service();
    const latin1 = Buffer.from('{"name":"café","external_customer_id":"a"}', "latin1");
    const file = fileOf(Buffer.concat([Buffer.from(`${goodLine(1)}\n`), latin1, Buffer.from(`\n${goodLine(2)}\n`)]));
    const rejected = [{ line: 2, reason: "not UTF-8" }];
    expect(await ingestFile(billing, file)).toMatchObject({ lines: 3, inserted: 2, rejected });
  });

  it("joins lines that are split across chunks, at any position", async () => {
    const { billing, mock } = service();
    const note = "é".repeat(500);
    const lines = Array.from({ length: 300 }, (_, index) =>
      JSON.stringify({ name: "api.call", external_customer_id: "a", external_id: `${index}`, metadata: { note } }),
    );
    expect(await ingestFile(billing, fileOf(lines.join("\n")))).toMatchObject({ inserted: 300, rejected: [] });
    expect(mock.events.list().every(({ metadata }) => metadata["note"] === note)).toBe(true);
  });

  it("sends batches of at most 500 events", async () => {
    const { billing, mock } = service();
    await ingestFile(billing, fileOf(good(1201).join("\n")));
    const sizes = mock.requests.to("events:ingest").map(({ body }) => (body as { events: [] }).events.length);
    expect(sizes.sort((a, b) => b - a)).toEqual([500, 500, 201]);
  });

  it("counts duplicates within the file, and events without an external_id", async () => {
    const { billing } = service();
    const plain = '{"name":"api.call","external_customer_id":"a"}';
    const file = fileOf([goodLine(1), goodLine(1), plain, plain].join("\n"));
    expect(await ingestFile(billing, file)).toMatchObject({ inserted: 3, duplicates: 1, withoutExternalId: 2 });
    expect(await ingestFile(billing, file)).toMatchObject({ inserted: 2, duplicates: 2, withoutExternalId: 2 });
  });

  it("rejects an event that exceeds the size of a request", async () => {
    const { billing } = service();
    const large = JSON.stringify({ name: "x".repeat(11 * 1024 * 1024), external_customer_id: "a" });
    const rejected = [{ line: 2, reason: "event has 11534427 bytes as JSON; the maximum is 10485747" }];
    expect(await ingestFile(billing, fileOf([goodLine(1), large].join("\n")))).toMatchObject({ inserted: 1, rejected });
  });

  it("stops at an endless line instead of filling the memory", async () => {
    const { billing } = service();
    await expect(ingestFile(billing, fileOf("x".repeat(17 * 1024 * 1024)))).rejects.toThrow("a line of 16 MiB");
  });

  it("fails with the error of the call if no event caused it", async () => {
    const { billing, mock, token } = service();
    mock.revokeToken(token);
    await expect(ingestFile(billing, fileOf(goodLine(1)))).rejects.toMatchObject({ name: "ApiError", status: 401 });
    expect(mock.events.size).toBe(0);
  });

  it("stores every event once if responses are lost", async () => {
    const { billing, mock } = service(5);
    mock.fault({ operation: "events:ingest", kind: "truncated", times: 2 });
    await ingestFile(billing, fileOf(good(800).join("\n")));
    expect(mock.events.size).toBe(800);
  });
});

describe("the progress", () => {
  function shown(isTTY: boolean) {
    const written: string[] = [];
    const line = progressLine({ isTTY, write: (text: string | Uint8Array) => written.push(String(text)) > 0 });
    line.update({ lines: 1500, inserted: 1200, duplicates: 34, rejected: [], withoutExternalId: 0 });
    line.clear();
    return written;
  }

  it("is one line on a terminal, removed at the end", () => {
    expect(shown(true)).toEqual(["\rIngesting: 1,234 lines", "\r\u001b[K"]);
  });

  it("is not written outside a terminal", () => {
    expect(shown(false)).toEqual([]);
  });
});
