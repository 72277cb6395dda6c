import { expect, it, onTestFinished, vi } from "vitest";
import { createMock } from "../../mock/index.ts";
import { Table } from "../../mock/state/table.ts";
import { emitted } from "./timers.ts";

it("a failure of the mock during a delivery is printed, and later events are delivered", async () => {
  const print = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => print.mockRestore());
  const mock = createMock();
  const { url } = mock.webhookEndpoints.create({ url: "https://app.example/hook" });
  const seen: unknown[] = [];
  mock.webhooks.receive(url, async (request) => {
    seen.push((await request.json()).data);
    return new Response();
  });
  for (const data of [1, 2, 3]) mock.webhooks.emit("order.paid", data);
  vi.spyOn(Table.prototype, "set").mockImplementationOnce(() => {
    throw new Error("The table is broken.");
  });
  await mock.webhooks.idle();
  expect(seen).toEqual([1, 2, 3]);
  expect(print).toHaveBeenCalledOnce();
  expect(print.mock.calls[0]?.[0]).toContain(
    "The mock failed to process a webhook delivery. Error: The table is broken.",
  );
  expect(mock.webhooks.deliveries.size).toBe(2);
});

it("a retry that the mock fails to process is not repeated while the clock is advanced", async () => {
  const print = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => print.mockRestore());
  const { mock, received } = emitted();
  await mock.webhooks.idle();
  vi.spyOn(Table.prototype, "set").mockImplementationOnce(() => {
    throw new Error("The table is broken.");
  });
  await mock.clock.advance({ days: 1 });
  expect(received).toHaveLength(2);
  expect(print).toHaveBeenCalledOnce();
});
