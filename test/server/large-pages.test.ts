import { expect, it } from "vitest";
import { authorized, started } from "../support/started-server.ts";

it("a page ends after four million characters, and the next one continues", async () => {
  const server = await started();
  const headers = authorized(server);
  const body = JSON.stringify({ events: [{ name: "x".repeat(1_000_000) }] });
  for (let times = 0; times < 7; times++)
    await fetch(`${server.url}/v1/events/ingest`, { method: "POST", headers, body });
  const found: number[][] = [];
  for (let path: string | undefined = "/__mock/requests"; path; ) {
    const response: Response = await fetch(server.url + path);
    found.push(((await response.json()) as { id: number }[]).map(({ id }) => id));
    path = /<([^>]+)>/.exec(response.headers.get("link") ?? "")?.[1];
  }
  expect(found).toEqual([
    [1, 2, 3, 4],
    [5, 6, 7],
  ]);
});
