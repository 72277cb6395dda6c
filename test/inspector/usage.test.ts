import { expect, it, onTestFinished, vi } from "vitest";
import type { UsageSummary } from "../../mock/control/routes/usage.ts";
import { Table } from "../../mock/state/table.ts";
import { authorized, started } from "../support/started-server.ts";

async function watched() {
  const server = await started();
  const headers = authorized(server);
  const ingest = async (names: readonly string[]) => {
    const events = names.map((name) => ({ name, external_customer_id: "c1" }));
    await fetch(`${server.url}/v1/events/ingest`, { method: "POST", headers, body: JSON.stringify({ events }) });
  };
  const read = async <Result>(path: string) => (await (await fetch(`${server.url}/__mock${path}`)).json()) as Result;
  const usage = () => read<UsageSummary>("/usage");
  return { mock: server.mock, ingest, read, usage };
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

it("does not copy tables for usage, changes and lists", async () => {
  const { ingest, read, usage } = await watched();
  const list = vi.spyOn(Table.prototype, "list");
  onTestFinished(() => list.mockRestore());
  for (const name of ["one", "two", "three"]) {
    await ingest([name]);
    await Promise.all([usage(), read("/changes"), read("/events"), read("/users")]);
  }
  expect(list).not.toHaveBeenCalled();
});
