import { expect, onTestFinished, test, vi } from "vitest";
import { connectMock } from "../../mock/connect.ts";
import { createMock, type Mock } from "../../mock/index.ts";
import { type ServedMock, serveMock } from "../support/serve-mock.ts";

const OPTIONS = { seed: 7, now: "2025-02-03T04:05:06Z" } as const;

async function served(options: Parameters<typeof serveMock>[0] = {}): Promise<ServedMock> {
  const one = await serveMock(options);
  onTestFinished(one.close);
  return one;
}

/** Returns the result of a call, or the error that it throws. */
function outcome(call: (mock: Mock) => unknown, mock: Mock): unknown {
  try {
    return call(mock);
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

const calls: Readonly<Record<string, (mock: Mock) => unknown>> = {
  "issue a token": (mock) => mock.issueToken(),
  "issue a token for less": (mock) => mock.issueToken({ type: "pat", scopes: ["products:read"], expiresIn: 60 }),
  "issue a token for a record": (mock) => mock.issueToken({ organization: mock.organizations.create() }),
  "issue a token of no kind": (mock) => mock.issueToken({ type: "xyz" as never }),
  "issue a token for nobody": (mock) => mock.issueToken({ type: "oidc", user: "nobody" }),
  "revoke a token": (mock) => mock.revokeToken(mock.issueToken()),
  "revoke a token that is none": (mock) => mock.revokeToken("none"),
  "base addresses": (mock) => mock.baseUrls,
  versions: (mock) => mock.versions,
  "a release": (mock) => [mock.release(), mock.versions],
  "numbers without an end": (mock) => mock.assumptions.maxBatchSize,
  "what is undefined": (mock) => ["rateLimit" in mock.assumptions, mock.assumptions.rateLimit],
  "an organization": (mock) => mock.organizations.create({ slug: "acme" }),
  "an organization without a slug": (mock) => mock.organizations.create({ slug: "" }),
  "a user": (mock) => mock.users.create({ email: "a@example.com" }),
  "a user of no organization": (mock) => mock.users.create({ organization_ids: ["x"] }),
  "the same customer twice": (mock) => {
    const { id } = mock.customers.create();
    return mock.customers.create({ id });
  },
  "a customer changed": (mock) => mock.customers.update(mock.customers.create().id, { name: "Ann / Ü ?" }),
  "no customer changed": (mock) => mock.customers.update("x", { name: "Ann" }),
  "a customer deleted": (mock) => mock.customers.delete(mock.customers.create().id),
  "no customer deleted": (mock) => mock.customers.delete("x"),
  "no customer": (mock) => mock.customers.get("x"),
  "an id with signs in it": (mock) => {
    mock.oauthClients.create({ client_id: "a/b c?d" });
    return mock.oauthClients.get("a/b c?d");
  },
  "a product with fields of its own": (mock) => mock.products.create({ prices: [{ amount: 1 }], nothing: null }),
  "an endpoint": (mock) => mock.webhookEndpoints.create({ format: "slack" }),
  "an endpoint with a wrong field": (mock) => mock.webhookEndpoints.create({ format: "xml" as never }),
  "lists and sizes": (mock) => [mock.users.list(), mock.users.size, mock.events.list(), mock.events.size],
  "records are frozen": (mock) => [mock.users.list(), mock.users.list()[0]].map((value) => Object.isFrozen(value)),
  "a fault": (mock) => [mock.fault({ status: 503, operation: "events:ingest", times: 2 }), mock.faults.list()],
  "a fault that skips": (mock) => [mock.fault({ status: 503, skip: 2, times: 1 }), mock.faults.list()],
  "a fault that cannot strike": (mock) => mock.fault({}),
  "a fault of no operation": (mock) => mock.fault({ status: 500, operation: "x" }),
  "faults removed": (mock) => {
    const { id } = mock.fault({ delay: 5 });
    return [mock.faults.remove(id), mock.faults.remove(id), mock.faults.clear(), mock.faults.list()];
  },
  "an empty journal": ({ requests }) => [
    requests.count,
    requests.list(),
    requests.to("events:ingest"),
    requests.last(),
    requests.clear(),
  ],
  "a search of the journal for no operation": ({ requests }) => requests.to("x"),
  "a record without an id": ({ customers, webhooks }) => [
    customers.get(""),
    customers.get(undefined as never),
    customers.delete(""),
    webhooks.events.get(""),
  ],
  "a field that there is not": (mock) => mock.customers.create({ externalId: "x" } as object),
  "a token with an option that there is not": (mock) => mock.issueToken({ scope: [] } as object),
  "an event with an option that there is not": (mock) => mock.webhooks.emit("order.paid", {}, { org: "x" } as object),
  "an event whose options are a string": (mock) => mock.webhooks.emit("order.paid", {}, "acme" as never),
  "an event without endpoints": (mock) => [mock.webhooks.emit("order.paid", { id: 1 }), mock.webhooks.events.size],
  "an event of another organization": (mock) => {
    const organization = mock.organizations.create({ slug: "other" });
    const { id } = mock.webhookEndpoints.create({ organization_id: organization.id, events: ["order.paid"] });
    const [event, ...more] = mock.webhooks.emit("order.paid", {}, { organization });
    return [event?.endpoint_id === id, more, mock.webhooks.emit("order.paid", {})];
  },
  "an event of no type": (mock) => mock.webhooks.emit("no.type", {}),
  "an event redelivered that there is not": (mock) => mock.webhooks.redeliver("x"),
  "events and deliveries": ({ webhooks }) => [
    webhooks.events.get("x"),
    webhooks.deliveries.list(),
    webhooks.deliveries.size,
  ],
  snapshots: (mock) => {
    const snapshot = mock.snapshot();
    mock.customers.create();
    mock.restore(snapshot);
    return mock.customers.size;
  },
  "a reset": (mock) => {
    mock.customers.create();
    return [mock.reset(), mock.customers.size];
  },
};

test.each(Object.keys(calls))("does the same in process and connected: %s", async (name) => {
  const { mock } = await served(OPTIONS);
  const call = calls[name] as (mock: Mock) => unknown;
  expect(outcome(call, mock)).toEqual(outcome(call, createMock(OPTIONS)));
});

test("a record without an id is not updated", async () => {
  const { mock } = await served();
  expect(() => mock.customers.update("", {})).toThrow("the id in /customers/{id} must be a non-empty string.");
});

test("has every member of a mock", async () => {
  const { mock } = await served();
  const shape = (value: object): string[] =>
    Object.entries(Object.getOwnPropertyDescriptors(value))
      .map(([name, { value }]) => `${name} ${typeof value}`)
      .sort();
  const core: object = createMock();
  const own = ["answer", "keep", "contracts", "tables", "own"];
  const wanted = Object.keys(core)
    .filter((name) => !own.includes(name))
    .concat("url");
  expect(Object.keys(mock).sort()).toEqual(wanted.sort());
  expect(shape(mock.users)).toEqual(shape(createMock().users));
});

test("fetch sends requests for the service to the server", async () => {
  const { mock } = await served();
  const headers = { authorization: `Bearer ${mock.issueToken()}`, "content-type": "application/json" };
  const body = JSON.stringify({ events: [{ name: "call", external_customer_id: "c1" }] });
  const address = `${mock.baseUrls[0]}/v1/events/ingest`;
  const given = await mock.fetch(address, { method: "POST", headers, body });
  expect(await given.json()).toEqual({ inserted: 1, duplicates: 0 });
  const whole = await mock.fetch(new Request(new URL(address), { method: "POST", headers, body }));
  expect(whole.status).toBe(200);
  expect(mock.events.list()).toMatchObject([{ name: "call" }, { name: "call" }]);
  expect(mock.requests.to("events:ingest")).toMatchObject([{ status: 200, versionUsed: "2025-01" }, { status: 200 }]);
  expect(mock.requests.list({ status: 404 })).toEqual([]);
  expect(mock.requests.list({ operation: undefined } as object)).toHaveLength(2);
});

test("fetch removes the path of a base URL and keeps the query", async () => {
  const { mock } = await served({ baseUrl: "https://billing.example/api" });
  const headers = { authorization: `Bearer ${mock.issueToken()}` };
  expect((await mock.fetch("https://billing.example/api/v1/products/?limit=1", { headers })).status).toBe(200);
  expect(mock.requests.last()).toMatchObject({ path: "/v1/products/", query: "limit=1" });
});

test("receive passes deliveries to a function of this process", async () => {
  const { mock } = await served();
  const { events, secret } = mock.webhookEndpoints.create({ url: "https://shop.example/hooks" });
  const received: string[] = [];
  const end = mock.webhooks.receive("https://shop.example/hooks", async (request) => {
    received.push(`${request.method} ${request.url} ${request.headers.get("webhook-id")} ${await request.text()}`);
    return new Response("thanks", { status: 202 });
  });
  const [event] = mock.webhooks.emit(events[0] as string, { id: "1" });
  await mock.webhooks.idle();
  expect(secret).toMatch(/^whsec_/);
  expect(received).toEqual([`POST https://shop.example/hooks ${event?.id} ${event?.body}`]);
  expect(mock.webhooks.deliveries.list()).toMatchObject([
    { status: "succeeded", response_status: 202, response_body: "thanks" },
  ]);
  end();
});

test("receive requires a function", async () => {
  const { mock } = await served();
  expect(() => mock.webhooks.receive("https://shop.example/hooks", undefined as never)).toThrow(
    new TypeError("webhooks.receive: `handler` must be a function."),
  );
});

test("a delivery fails when its function throws", async () => {
  const { mock } = await served();
  const { events } = mock.webhookEndpoints.create({ url: "https://shop.example/hooks" });
  mock.webhooks.receive("https://shop.example/hooks", () => {
    throw new Error("out of order");
  });
  mock.webhooks.emit(events[0] as string, {});
  await mock.webhooks.idle();
  expect(mock.webhooks.deliveries.list()).toMatchObject([{ status: "failed", response_status: 500 }]);
});

test("a redirect that a function returns is recorded and not followed", async () => {
  const { mock, url } = await served();
  const { events } = mock.webhookEndpoints.create({ url: "https://shop.example/hooks" });
  mock.webhooks.receive("https://shop.example/hooks", () => Response.redirect(`${url}/v1/products/`, 302));
  mock.webhooks.emit(events[0] as string, {});
  await mock.webhooks.idle();
  expect(mock.webhooks.deliveries.list()).toMatchObject([{ status: "failed", response_status: 302 }]);
  expect(mock.requests.count).toBe(0);
});

test("restore rejects a snapshot of another mock", async () => {
  const { mock } = await served();
  expect(() => mock.restore(createMock().snapshot())).toThrow(
    new TypeError("restore: the snapshot belongs to another mock."),
  );
});

test("functions cannot be sent in either direction", async () => {
  const { mock } = await served();
  expect(() => mock.products.create({ price: () => 5 })).toThrow(/"price" is a function, which cannot be sent as JSON/);
  expect(() => mock.products.create({ price: Number.NaN })).toThrow(/"price" is NaN, which cannot be sent as JSON/);
  expect(() => mock.assumptions.duplicateKey({} as never)).toThrow(/exists only in the server's process/);
});

test("calls work with fake timers", async () => {
  const { mock } = await served();
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  expect(mock.users.size).toBe(1);
});

test("sends the password; without it, the error names the option", async () => {
  const { mock, url } = await served({ control: { password: "s3cret" } });
  expect(mock.users.size).toBe(1);
  expect(() => connectMock(url)).toThrow(`the control API at ${url} requires a password; it was missing or wrong`);
  expect(() => connectMock(url, { password: "guess" })).toThrow("requires a password; it was missing or wrong");
  expect(() => connectMock(url, { pasword: "s3cret" } as object)).toThrow(
    'connectMock: unknown option "pasword". Did you mean "password"?',
  );
});

test("the worker does not keep the process alive", async () => {
  const { url } = await served();
  const program = `import { connectMock } from "./mock/connect.ts";
    const mock = connectMock(${JSON.stringify(url)});
    mock.webhooks.receive("https://a.example/", () => new Response());
    console.log(mock.users.size);`;
  const { promise, resolve } = Promise.withResolvers<string>();
  const { spawn } = await import("node:child_process");
  const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
    timeout: 20_000,
  });
  let text = "";
  child.stdout.on("data", (chunk) => (text += chunk));
  child.once("close", (code) => resolve(`${text.trim()} ${code}`));
  expect(await promise).toBe("1 0");
});
