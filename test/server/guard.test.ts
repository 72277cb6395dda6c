import { expect, test } from "vitest";
import type { ServerOptions } from "../../mock/server.ts";
import { exchange, requestText } from "../support/raw-socket.ts";
import { started } from "../support/started-server.ts";

/** The status of a control request with these headers. */
async function statusWith(headers: Record<string, string>, options: ServerOptions = {}): Promise<number> {
  const { port, url } = await started(options);
  const named = Object.entries(headers).map(([name, value]) => [name, value.replace("PORT", String(port))]);
  const lines = { Host: `127.0.0.1:${port}`, ...Object.fromEntries(named), Connection: "close" };
  const { text } = await exchange(url, requestText("GET /__mock/versions", lines));
  return Number(text.split(" ")[1]);
}

test.each([
  ["a program", {}, 200],
  ["the server's own page", { Origin: "http://127.0.0.1:PORT", "Sec-Fetch-Site": "same-origin" }, 200],
  ["a typed address", { "Sec-Fetch-Site": "none" }, 200],
  ["localhost", { Host: "localhost:PORT" }, 200],
  ["localhost in capitals", { Host: "LocalHost:PORT" }, 200],
  ["the loopback address of IPv6", { Host: "[::1]:PORT" }, 200],
  ["a name below localhost", { Host: "billing.localhost:PORT" }, 200],
  ["another site's page", { Origin: "https://evil.example" }, 403],
  ["a page on another port", { Origin: "http://127.0.0.1:1" }, 403],
  ["a page without an origin of its own", { Origin: "null" }, 403],
  ["an image on another site", { "Sec-Fetch-Site": "cross-site" }, 403],
  ["a page on another port, without an origin", { "Sec-Fetch-Site": "same-site" }, 403],
  ["a foreign name that points to this machine", { Host: "evil.example:PORT" }, 403],
  ["a foreign name that begins like a loopback address", { Host: "127.0.0.1.evil.example:PORT" }, 403],
  ["a name without a dot that is not this machine's own", { Host: "billing-mock:PORT" }, 403],
  ["an address that is not this machine's own", { Host: "192.168.0.7:PORT" }, 403],
  ["a page under such a name", { Host: "evil.example:PORT", Origin: "http://evil.example:PORT" }, 403],
])("a request from %s with %j gets %i", async (_, headers, status) => {
  expect(await statusWith(headers)).toBe(status);
});

test.each([
  ["an address", { Host: "192.168.0.7:PORT" }, 200],
  ["the name of a container", { Host: "billing-mock:PORT" }, 200],
  ["a name of the local network", { Host: "machine.local:PORT" }, 200],
  ["a public name", { Host: "evil.example:PORT" }, 403],
])("bound to every interface, a request to %s with %j gets %i", async (_, headers, status) => {
  expect(await statusWith(headers, { host: "0.0.0.0" })).toBe(status);
});

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

test.each([
  ["none", {}, 401],
  ["Bearer", { Authorization: "Bearer s3cret: word" }, 200],
  ["Bearer in small letters", { Authorization: "bearer s3cret: word" }, 200],
  ["Bearer, under a public name", { Authorization: "Bearer s3cret: word", Host: "mock.example:PORT" }, 200],
  ["Basic", { Authorization: basic("anyone:s3cret: word") }, 200],
  ["Basic without a user", { Authorization: basic(":s3cret: word") }, 200],
  ["wrong password", { Authorization: "Bearer s3cret" }, 401],
  ["Digest", { Authorization: basic("anyone:s3cret: word").replace("Basic", "Digest") }, 401],
  ["Bearer from another site", { Authorization: "Bearer s3cret: word", Origin: "https://evil.example" }, 403],
])("with a password, the credential %s with %j gets %i", async (_, headers, status) => {
  expect(await statusWith(headers, { control: { password: "s3cret: word" } })).toBe(status);
});

test("a browser prompts for the password, stores no response, and does not guess its type", async () => {
  const { url } = await started({ control: { password: "x" } });
  const response = await fetch(`${url}/__mock/versions`);
  expect(response.headers.get("www-authenticate")).toBe('Basic realm="billing-service", charset="UTF-8"');
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(await response.json()).toMatchObject({ error: "PasswordRequired" });
});

test.each(["127.0.0.1", "localhost"])("a delivery to the mock's own /__mock on %s controls nothing", async (host) => {
  const { mock, port } = await started();
  const { id } = mock.webhookEndpoints.create({ url: `http://${host}:${port}/__mock/reset`, events: ["order.paid"] });
  mock.webhooks.emit("order.paid", {});
  await mock.webhooks.idle();
  const body = expect.stringContaining("The control API rejects webhook deliveries");
  expect(mock.webhooks.deliveries.list()).toMatchObject([{ response_status: 403, response_body: body }]);
  expect(mock.webhookEndpoints.get(id)).toBeDefined();
});
