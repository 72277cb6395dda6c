import { expect, it } from "vitest";
import type { UsageSummary } from "../../mock/control/usage.ts";
import { authorized, started } from "../support/started-server.ts";

async function watched() {
  const server = await started();
  const headers = authorized(server);
  const ingest = async (names: readonly string[]) => {
    const events = names.map((name) => ({ name, external_customer_id: "c1" }));
    await fetch(`${server.url}/v1/events/ingest`, { method: "POST", headers, body: JSON.stringify({ events }) });
  };
  const usage = async () => (await (await fetch(`${server.url}/__mock/usage`)).json()) as UsageSummary;
  return { mock: server.mock, ingest, usage };
}

it("counts events stored before and after the first read, and starts over when the state is replaced", async () => {
  const { mock, ingest, usage } = await watched();
  await ingest(["one", "two"]);
  const snapshot = mock.snapshot();
  expect(await usage()).toMatchObject({ total: 2, newest: [{ name: "two" }, { name: "one" }] });
  await ingest(["three"]);
  expect(await usage()).toMatchObject({ total: 3, newest: [{ name: "three" }, { name: "two" }, { name: "one" }] });
  mock.restore(snapshot);
  await ingest(["four"]);
  expect(await usage()).toMatchObject({ total: 3, newest: [{ name: "four" }, { name: "two" }, { name: "one" }] });
  mock.reset();
  expect(await usage()).toMatchObject({ total: 0, newest: [] });
});
