import { expect, it } from "vitest";
import { listJson } from "../../mock/control/list-json.ts";
import { authorized, started } from "../support/started-server.ts";

it("a page ends after four million characters, and the next one continues", async () => {
  const server = await started();
  const headers = authorized(server);
  const body = JSON.stringify({ events: [{ name: "x".repeat(3_000_000) }] });
  for (let times = 0; times < 3; times++)
    await fetch(`${server.url}/v1/events/ingest`, { method: "POST", headers, body });
  const found: number[][] = [];
  for (let path: string | undefined = "/__mock/requests"; path; ) {
    const response: Response = await fetch(server.url + path);
    found.push(((await response.json()) as { id: number }[]).map(({ id }) => id));
    path = /<([^>]+)>/.exec(response.headers.get("link") ?? "")?.[1];
  }
  expect(found).toEqual([[1], [2], [3]]);
});

it("a list is converted in slices", () => {
  const items = Array.from({ length: 10_000 }, (_, id) => ({ id, text: "x".repeat(200) }));
  const work = listJson(items);
  let pauses = 0;
  let step = work.next();
  for (; !step.done; step = work.next()) pauses += 1;
  expect(pauses).toBeGreaterThan(20);
  expect(step.value).toEqual({ json: JSON.stringify(items), count: 10_000 });
});
