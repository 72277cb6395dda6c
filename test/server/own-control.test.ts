import { hostname, networkInterfaces } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { fileWith, ready } from "../support/command.ts";
import { authorized, started } from "../support/started-server.ts";

const OWN = "not be the mock's own /__mock";
const HOSTS = ["127.0.0.1", "localhost", "LOCALHOST", "localhost.", "127.1", "0x7f000001", "127.0.0.2", "a.localhost"];
const MORE_HOSTS = ["[::1]", "[0:0::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "[::]"];

test.each([...HOSTS, ...MORE_HOSTS])("an endpoint at the mock's own /__mock is not allowed as %s", async (host) => {
  const server = await started();
  const { mock } = server;
  const { id } = mock.webhookEndpoints.create();
  const url = `http://${host}:${server.port}/__mock/reset?x=1`;
  expect(() => mock.webhookEndpoints.create({ url })).toThrow(OWN);
  expect(() => mock.webhookEndpoints.update(id, { url })).toThrow(OWN);
  const send = (method: string, path: string, body: object) =>
    fetch(server.url + path, { method, headers: authorized(server), body: JSON.stringify(body) });
  const answers = [
    await send("POST", "/v1/webhooks/endpoints", { url, format: "raw", events: [] }),
    await send("PATCH", `/v1/webhooks/endpoints/${id}`, { url }),
    await send("POST", "/__mock/webhook-endpoints", { url }),
    await send("PATCH", `/__mock/webhook-endpoints/${id}`, { url }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([422, 422, 400, 400]);
  expect(await answers[0]?.json()).toEqual({
    detail: [{ loc: ["body", "url"], msg: `URL should ${OWN}`, type: "value_error", input: url }],
  });
  expect(mock.webhookEndpoints.list()).toHaveLength(1);
});

const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);

test.each([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "[::1]"],
])("a server bound to every interface as %s knows the names and addresses of the machine", async (host, name) => {
  const { mock, port, url } = await started({ host });
  expect(url).toBe(`http://${name}:${port}`);
  const numbers = addresses.map(({ address, family }) => (family === "IPv6" ? `[${address}]` : address));
  for (const own of [hostname(), ...numbers]) {
    expect(() => mock.webhookEndpoints.create({ url: `http://${own}:${port}/__mock` }), own).toThrow(OWN);
  }
});

test("other ports, other paths, and a server without its control API are allowed", async () => {
  const { mock, port } = await started();
  mock.webhookEndpoints.create({ url: `http://127.0.0.1:${port + 1}/__mock/reset` });
  mock.webhookEndpoints.create({ url: `http://127.0.0.1:${port}/__mocking` });
  const closed = await started({ control: false });
  closed.mock.webhookEndpoints.create({ url: `${closed.url}/__mock/reset` });
});

test("nothing is delivered to an endpoint of a seed file at the mock's own /__mock", async () => {
  const { createServer } = await import("node:net");
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const { port } = probe.address() as { readonly port: number };
  await new Promise((resolve) => probe.close(resolve));
  const url = `http://127.0.0.1:${port}/__mock/reset`;
  const seed = fileWith(JSON.stringify({ webhookEndpoints: [{ url }] }));
  const running = await ready(["--port", String(port), "--seed-data", seed]);
  onTestFinished(() => void running.process.kill());
  const control = async (method: string, path: string, body?: object) =>
    (await fetch(`${running.url}/__mock${path}`, { method, ...(body && { body: JSON.stringify(body) }) })).text();
  await control("POST", "/webhooks/emit", { type: "order.paid", data: {} });
  await control("POST", "/webhooks/idle");
  const [delivery] = JSON.parse(await control("GET", "/webhooks/deliveries"));
  expect(delivery).toMatchObject({ status: "failed", error: expect.stringContaining("own /__mock") });
});
