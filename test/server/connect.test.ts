import { expect, onTestFinished, test, vi } from "vitest";
import { type ConnectedMock, connectMock } from "../../mock/connect.ts";
import { createMock, type Mock } from "../../mock/index.ts";
import type { ServerOptions } from "../../mock/server.ts";
import { startLocalServer } from "../support/local-server.ts";
import { started } from "../support/started-server.ts";

const OPTIONS = { seed: 7, now: "2025-02-03T04:05:06Z" } as const;

async function served(options: ServerOptions = {}) {
  const { url } = await started(options);
  return { url, mock: connectMock(url, options.control || {}) };
}

type AnyMock = Mock | ConnectedMock;

/** Returns the result of a call, or the error that it throws. */
async function outcome(call: (mock: AnyMock) => unknown, mock: AnyMock): Promise<unknown> {
  try {
    return await call(mock);
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

const calls: Readonly<Record<string, (mock: AnyMock) => unknown>> = {
  "issue a token": (mock) => mock.issueToken(),
  "a release": async (mock) => [await mock.release(), await mock.versions],
  "the same customer twice": async (mock) => {
    const { id } = await mock.customers.create();
    return mock.customers.create({ id });
  },
  "a customer changed": async (mock) =>
    mock.customers.update((await mock.customers.create()).id, { name: "Ann / Ü ?" }),
  "a customer deleted": async (mock) => mock.customers.delete((await mock.customers.create()).id),
  "an id with signs in it": async (mock) => {
    await mock.oauthClients.create({ client_id: "a/b c?d" });
    return mock.oauthClients.get("a/b c?d");
  },
  "lists and sizes": async (mock) => [await mock.users.list(), await mock.users.size, await mock.events.size],
  "a fault": async (mock) => [
    await mock.fault({ status: 503, operation: "events:ingest", times: 2 }),
    await mock.faults.list(),
  ],
  "faults removed": async ({ fault, faults }) => {
    const { id } = await fault({ delay: 5 });
    return [await faults.remove(id), await faults.remove(id), await faults.clear(), await faults.list()];
  },
  "an empty journal": async ({ requests }) => [
    await requests.count,
    await requests.list(),
    await requests.to("events:ingest"),
    await requests.last(),
    await requests.clear(),
  ],
  "records that do not exist": async ({ customers, webhooks }) => [
    await customers.get("x"),
    await customers.delete("x"),
    await webhooks.events.get("x"),
  ],
  "an event with an option that there is not": (mock) => mock.webhooks.emit("order.paid", {}, { org: "x" } as object),
  "an event of another organization": async (mock) => {
    const organization = await mock.organizations.create({ slug: "other" });
    const { id } = await mock.webhookEndpoints.create({ organization_id: organization.id, events: ["order.paid"] });
    const [event, ...more] = await mock.webhooks.emit("order.paid", {}, { organization });
    return [event?.endpoint_id === id, more, await mock.webhooks.emit("order.paid", {})];
  },
  "the time": async ({ clock }) => [await clock.now(), await clock.advance({ hours: 1 }), await clock.now()],
  "a checkpoint": async (mock) => {
    await mock.customers.create();
    await mock.checkpoint();
    await mock.customers.create();
    await mock.reset();
    return mock.customers.size;
  },
  "other assumptions": async (mock) => {
    await mock.customers.create();
    const { nullFields, ...others } = await mock.setAssumptions({ nullFields: "accept", retry: { attempts: 2 } });
    await mock.customers.create();
    await mock.reset();
    return [nullFields, others, (await mock.assumptions).nullFields, await mock.customers.size];
  },
};

test.each(Object.keys(calls))("does the same in process and connected: %s", async (name) => {
  const { mock } = await served(OPTIONS);
  const call = calls[name] as (mock: AnyMock) => unknown;
  expect(await outcome(call, mock)).toEqual(await outcome(call, createMock(OPTIONS)));
});

test("requests are filtered by what is given", async () => {
  const { url, mock } = await served();
  const headers = { authorization: `Bearer ${await mock.issueToken()}` };
  for (const path of ["/v1/products/?page=1", "/v1/products/", "/v1/nowhere"]) await fetch(url + path, { headers });
  expect(await mock.requests.list({ status: 200 })).toHaveLength(2);
  expect(await mock.requests.last({ status: 404 })).toMatchObject({ path: "/v1/nowhere" });
  expect(await mock.requests.list({ operation: undefined } as object)).toHaveLength(3);
});

const priced = (price: unknown) => (mock: ConnectedMock) => mock.products.create({ price });

test.each<[string, (mock: ConnectedMock) => unknown, string]>([
  ["a record without an id", (mock) => mock.customers.get(""), '/customers/{id}: the id is missing; received "".'],
  ["an id that is part of a path", (mock) => mock.faults.remove(".."), 'the id is missing; received "..".'],
  ["a record that is null", (mock) => mock.products.create(null as never), "The body must be a JSON object."],
  ["NaN", priced(Number.NaN), "the body cannot be serialized as JSON: `price` must be a finite number"],
  ["a token that is null", (mock) => mock.issueToken(null as never), "The body must be a JSON object."],
])("rejects %s with a TypeError", async (_, call, message) => {
  const { mock } = await served();
  expect(await outcome((it) => call(it as ConnectedMock), mock)).toMatch(/^TypeError: /);
  expect(await outcome((it) => call(it as ConnectedMock), mock)).toContain(message);
});

test("sends the password; without it, the error names the option", async () => {
  const { mock, url } = await served({ control: { password: "s3cret" } });
  expect(await mock.users.size).toBe(1);
  for (const options of [{}, { password: "guess" }]) {
    await expect(connectMock(url, options).users.size).rejects.toThrow(
      `the control API at ${url} requires a password; it was missing or wrong`,
    );
  }
  expect(() => connectMock(url, { pasword: "s3cret" } as object)).toThrow(
    'connectMock: unknown option "pasword". Did you mean "password"?',
  );
});

test("can be copied and printed before the server is there", async () => {
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  onTestFinished(() => void process.off("unhandledRejection", unhandled));
  const mock = connectMock("http://127.0.0.1:9");
  expect(Object.keys({ ...mock, ...mock.requests, ...mock.users })).toContain("versions");
  expect(JSON.stringify(mock)).toContain("http://127.0.0.1:9");
  await expect(mock.versions).rejects.toThrow("cannot reach a mock server at http://127.0.0.1:9");
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(unhandled).not.toHaveBeenCalled();
});

const size = (url: string) => connectMock(url).users.size;

test("a token can be issued again once it is revoked", async () => {
  const { mock } = await served();
  const token = await mock.issueToken({ token: "fixed" });
  await mock.revokeToken(token);
  expect(await mock.issueToken({ token })).toBe(token);
});

test.each([
  [401, { error: "Unauthorized", detail: "Log in." }],
  [404, "<h1>Not found</h1>"],
  [200, "<h1>Welcome</h1>"],
])("another server is reported as one without a control API: %s %j", async (status, body) => {
  const { origin: url } = await startLocalServer((_, response) => {
    response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await expect(size(url)).rejects.toThrow(`no control API at ${url}`);
});

test.each(["127.0.0.1:1", "https://127.0.0.1:1", "http://user:pw@127.0.0.1:1", "http://127.0.0.1:1/?a"])(
  "throws for the URL %s, which cannot be a mock server's",
  (url) => {
    const without = "without a user name, a password, a query or a fragment";
    expect(() => connectMock(url)).toThrow(
      `connectMock: \`url\` must be an http: URL ${without}, such as "http://127.0.0.1:4010".`,
    );
  },
);
