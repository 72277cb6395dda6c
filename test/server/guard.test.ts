import { expect, test } from "vitest";
import type { ServerOptions } from "../../mock/server.ts";
import { exchange, requestText } from "../support/raw-socket.ts";
import { started } from "../support/started-server.ts";

const everyInterface = { host: "0.0.0.0" };
const locked = { control: { password: "s3cret: word" } };
const bearer = (password: string) => ({ Authorization: `Bearer ${password}` });
const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString("base64")}` });

test.each<[from: string, headers: Record<string, string>, status: number, options?: ServerOptions]>([
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
  ["an address", { Host: "192.168.0.7:PORT" }, 200, everyInterface],
  ["the name of a container", { Host: "billing-mock:PORT" }, 200, everyInterface],
  ["a name of the local network", { Host: "machine.local:PORT" }, 200, everyInterface],
  ["a public name", { Host: "evil.example:PORT" }, 403, everyInterface],
  ["a program without the password", {}, 401, locked],
  ["a program with the password", bearer("s3cret: word"), 200, locked],
  ["a scheme in small letters", { Authorization: "bearer s3cret: word" }, 200, locked],
  ["a public name with the password", { ...bearer("s3cret: word"), Host: "mock.example:PORT" }, 200, locked],
  ["a browser with the password", basic("anyone:s3cret: word"), 200, locked],
  ["a browser without a user", basic(":s3cret: word"), 200, locked],
  ["a program with another password", bearer("s3cret"), 401, locked],
  ["another scheme", { Authorization: "Digest s3cret: word" }, 401, locked],
  ["another site's page with the password", { ...bearer("s3cret: word"), Origin: "https://evil.example" }, 403, locked],
])("a control request from %s with %j gets %i", async (_, headers, status, options = {}) => {
  const { port, url } = await started(options);
  const named = Object.entries(headers).map(([name, value]) => [name, value.replace("PORT", String(port))]);
  const lines = { Host: `127.0.0.1:${port}`, ...Object.fromEntries(named), Connection: "close" };
  const { text } = await exchange(url, requestText("GET /__mock/versions", lines));
  expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
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
