import { expect, onTestFinished, test, vi } from "vitest";
import { createEngine } from "../../mock/api/create-engine.ts";
import { defaultAssumptions, type EmittedEvent, type Mock } from "../../mock/index.ts";
import { startServer } from "../../mock/server.ts";

const SLOW = 20;

/**
 * Serves a mock with endpoints, which calls `act` once while it creates an event over HTTP: between the first of the
 * endpoints and the last.
 */
async function served(endpoints: number, act: (mock: Mock) => void) {
  let isEmitting = false;
  const server = await startServer({
    assumptions: {
      envelope: (payload) => {
        if (isEmitting) {
          setImmediate(() => act(server.mock));
          const end = performance.now() + SLOW;
          while (performance.now() < end);
        }
        isEmitting = false;
        return defaultAssumptions.envelope(payload);
      },
    },
  });
  onTestFinished(() => server.close());
  const { mock, url: base } = server;
  const deliveries: string[] = [];
  for (let index = 0; index < endpoints; index++) {
    const { url } = mock.webhookEndpoints.create({ url: `https://app.example/${index}`, events: ["order.paid"] });
    mock.webhooks.receive(url, ({ headers }) => {
      deliveries.push(headers.get("webhook-id") as string);
      return new Response();
    });
  }
  const emit = async () => {
    isEmitting = true;
    const body = JSON.stringify({ type: "order.paid", data: {} });
    const response = await fetch(`${base}/__mock/webhooks/emit`, { method: "POST", body });
    return { status: response.status, body: (await response.json()) as unknown };
  };
  return { mock, deliveries, emit };
}

const idsOf = (body: unknown) => (body as readonly EmittedEvent[]).map(({ id }) => id);

test("other work continues while an event is created for many endpoints, and sees all of its events or none", async () => {
  const sizes: number[] = [];
  const { emit } = await served(1_200, ({ webhooks }) => sizes.push(webhooks.events.size));
  expect((await emit()).body).toHaveLength(1_200);
  expect(sizes).toEqual([0]);
});

test("other work gets a turn while many endpoints are searched", async () => {
  const mock = createEngine({});
  for (let index = 0; index < 600; index++) mock.webhookEndpoints.create({ events: ["order.created"] });
  const order: string[] = [];
  const { webhookEndpoints } = mock.tables;
  const rows = webhookEndpoints.entries();
  vi.spyOn(webhookEndpoints, "entries").mockImplementationOnce(() => {
    setImmediate(() => order.push("other work"));
    const end = performance.now() + SLOW;
    while (performance.now() < end);
    return rows;
  });
  expect(await mock.emitter.emitInSlices("order.paid", {})).toEqual([]);
  expect(order).toEqual(["other work"]);
});

test("an endpoint that is deleted meanwhile gets no event", async () => {
  const { emit, mock } = await served(1_200, ({ webhookEndpoints }) => {
    webhookEndpoints.delete((webhookEndpoints.list()[0] as { readonly id: string }).id);
  });
  const [first] = mock.webhookEndpoints.list();
  const events = (await emit()).body as readonly EmittedEvent[];
  expect(events).toHaveLength(1_199);
  expect(events.map(({ endpoint_id }) => endpoint_id)).not.toContain(first?.id);
});

test("an event that is created while the mock is restored is delivered once, with ids of its own", async () => {
  const { mock, deliveries, emit } = await served(1_200, () => mock.restore(snapshot));
  const snapshot = mock.snapshot();
  const ids = idsOf((await emit()).body);
  const more = idsOf(mock.webhooks.emit("order.paid", {}));
  await mock.webhooks.idle();
  expect(new Set([...ids, ...more]).size).toBe(2_400);
  expect(deliveries.toSorted()).toEqual([...ids, ...more].toSorted());
});

test("an event is created although endpoints change all the time", async () => {
  let over = false;
  const { mock, emit } = await served(1_200, ({ webhookEndpoints }) => {
    const [first] = webhookEndpoints.list();
    const change = () => {
      webhookEndpoints.update((first as { readonly id: string }).id, { name: "changed" });
      if (!over) setImmediate(change);
    };
    change();
  });
  onTestFinished(() => {
    over = true;
  });
  expect((await emit()).body).toHaveLength(1_200);
  over = true;
  await mock.webhooks.idle();
});

test("an event is rejected if others made too many pending meanwhile", async () => {
  const { mock, emit } = await served(1_200, ({ webhooks }) => {
    for (let times = 0; times < 83; times++) webhooks.emit("order.paid", {});
  });
  const { status, body } = await emit();
  expect(status).toBe(400);
  expect(body).toMatchObject({
    detail: expect.stringContaining("99600 events are pending, and this one would add 1200"),
  });
  expect(mock.webhooks.events.size).toBe(99_600);
  mock.reset();
});
