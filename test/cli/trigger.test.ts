import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { billing, fileWith } from "../support/command.ts";
import { started } from "../support/started-server.ts";

/** Starts a server that responds with a status, and collects the bodies that it receives. */
async function receiver(status = 204): Promise<{ readonly url: string; readonly bodies: unknown[] }> {
  const bodies: unknown[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(await json(request));
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}/hooks`, bodies };
}

test("delivers the event to the endpoints of the mock, and prints the outcome", async () => {
  const { url, mock } = await started();
  const { url: hooks, bodies } = await receiver();
  const endpoint = mock.webhookEndpoints.create({ url: hooks, events: ["order.paid"] });
  const result = await billing(["trigger", "order.paid", "--data", '{"id":"ord_1"}', "--url", `${url}/`]).ended;
  expect(result).toMatchObject({ code: 0, stderr: "" });
  expect(result.stdout).toMatch(/^order\.paid to http:\S+\/hooks: delivered \(204\) {2}[\w-]+, version 2025-01\n$/);
  expect(bodies).toMatchObject([{ type: "order.paid", data: { id: "ord_1" } }]);
  expect(result.stdout).not.toContain(endpoint.secret);
});

test("--json prints one line with the outcome for each endpoint", async () => {
  const { url, mock } = await started();
  const good = await receiver();
  const bad = await receiver(500);
  for (const each of [good, bad]) mock.webhookEndpoints.create({ url: each.url, events: ["order.paid"] });
  const { stdout, code } = await billing(["trigger", "order.paid", "--json", "--url", url]).ended;
  expect(code).toBe(3);
  expect(stdout.trim().split("\n")).toHaveLength(1);
  const { type, events } = JSON.parse(stdout);
  expect(type).toBe("order.paid");
  expect(events).toMatchObject([
    { url: good.url, status: "succeeded", response_status: 204, attempts: 1 },
    { url: bad.url, status: "pending", response_status: 500, attempts: 1 },
  ]);
  expect(stdout).not.toContain("whsec_");
});

test("reads the data from a file or from stdin", async () => {
  const { url, mock } = await started();
  const { url: hooks, bodies } = await receiver();
  mock.webhookEndpoints.create({ url: hooks, events: ["order.paid"] });
  const file = fileWith('{"id":"file"}', "data.json");
  await billing(["trigger", "order.paid", "--data", `@${file}`, "--url", url]).ended;
  await billing(["trigger", "order.paid", "--data", "@-", "--url", url], {}, '{"id":"stdin"}').ended;
  expect(bodies).toMatchObject([{ data: { id: "file" } }, { data: { id: "stdin" } }]);
});

test("reaches only the endpoints of the organization", async () => {
  const { url, mock } = await started();
  const { url: hooks, bodies } = await receiver();
  const { id } = mock.organizations.create({ slug: "acme" });
  mock.webhookEndpoints.create({ url: hooks, events: ["order.paid"], organization_id: id });
  const none = await billing(["trigger", "order.paid", "--url", url]).ended;
  expect(none.code).toBe(3);
  expect(none.stdout).toContain("No endpoint of the mock is subscribed to order.paid.");
  expect((await billing(["trigger", "order.paid", "--organization", id, "--url", url]).ended).code).toBe(0);
  expect(bodies).toHaveLength(1);
});

test("needs the password of the control API, from the environment or a file", async () => {
  const { url, mock } = await started({ control: { password: "right-password" } });
  mock.webhookEndpoints.create({ url: (await receiver()).url, events: ["order.paid"] });
  const args = ["trigger", "order.paid", "--url", url];
  const without = await billing(args).ended;
  expect(without).toMatchObject({ code: 1, stdout: "" });
  expect(without.stderr).toContain("requires a password; it was missing or wrong. Check BILLING_MOCK_PASSWORD");
  const wrong = await billing(args, { BILLING_MOCK_PASSWORD: "wrong-password" }).ended;
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).not.toContain("wrong-password");
  expect((await billing(args, { BILLING_MOCK_PASSWORD: "right-password" }).ended).code).toBe(0);
  const file = fileWith("right-password\n", "password");
  expect((await billing([...args, "--control-password-file", file]).ended).code).toBe(0);
});

test.each([
  [[], "no event type given; pass one, such as order.paid."],
  [["order.paid", "extra"], "expected 1 argument; received 2. Quote values with spaces."],
  [["order.paid", "--data", "{id: 1}"], /^--data is not JSON: /],
  [["order.paid", "--data", "@/nowhere.json"], "--data @/nowhere.json: not found."],
  [
    ["order.paid", "--url", "localhost:4010"],
    /^--url must be the base URL of a mock, such as http:.*, not "localhost:4010"/,
  ],
])("%j is rejected in one line", async (args, line) => {
  const { stdout, stderr, code } = await billing(["trigger", ...args]).ended;
  expect({ stdout, code }).toEqual({ stdout: "", code: 2 });
  const message = stderr.replace(/^billing trigger: (.*)\n$/, "$1");
  if (typeof line === "string") expect(message).toBe(line);
  else expect(message).toMatch(line);
});

test("suggests the event type that was probably meant", async () => {
  const { url } = await started();
  const { stderr, code } = await billing(["trigger", "order.payed", "--url", url]).ended;
  expect(code).toBe(1);
  expect(stderr).toContain('"order.paid"');
});

test("says how to start a mock if none is running, and names a server that is not a mock", async () => {
  const absent = await billing(["trigger", "order.paid", "--url", "http://127.0.0.1:9"]).ended;
  expect(absent.code).toBe(1);
  expect(absent.stderr).toMatch(
    /cannot reach a mock at http:\/\/127\.0\.0\.1:9 \(.+\)\. Start it with npx @billing-service\/sdk mock/,
  );
  const { url } = await receiver();
  const other = await billing(["trigger", "order.paid", "--url", url]).ended;
  expect(other).toMatchObject({ code: 1, stdout: "" });
  expect(other.stderr).toContain("does not serve the control API of a mock");
});
