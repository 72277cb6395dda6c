import { expect, test } from "vitest";
import type { Mock } from "../../mock/index.ts";
import { billing, fileWith } from "../support/command.ts";
import { startLocalServer, startReceiver } from "../support/local-server.ts";
import { started } from "../support/started-server.ts";

/** Creates an endpoint that responds with a status, and collects the bodies that it receives. */
async function subscribe(mock: Mock, status = 204, fields: object = {}) {
  const { origin, received } = await startReceiver((_, response) => void response.writeHead(status).end());
  const endpoint = mock.webhookEndpoints.create({ url: `${origin}/hooks`, events: ["order.paid"], ...fields });
  return { ...endpoint, bodies: () => received.map(({ body }) => JSON.parse(body)) };
}

test("delivers the event to the endpoints of the mock, with data from an argument, a file or stdin", async () => {
  const { url, mock } = await started();
  const { secret, bodies } = await subscribe(mock);
  const result = await billing(["trigger", "order.paid", "--data", '{"id":"argument"}', "--url", `${url}/`]);
  expect(result).toMatchObject({ code: 0, stderr: "" });
  expect(result.stdout).toMatch(/^order\.paid to http:\S+\/hooks: delivered \(204\) {2}[\w-]+, version \S+\n$/);
  expect(result.stdout).not.toContain(secret);
  const file = fileWith('{"id":"file"}', "data.json");
  await billing(["trigger", "order.paid", "--data", `@${file}`, "--url", url]);
  await billing(["trigger", "order.paid", "--data", "@-", "--url", url], {}, '{"id":"stdin"}');
  const received = bodies().map(({ type, data }) => `${type} ${data.id}`);
  expect(received).toEqual(["order.paid argument", "order.paid file", "order.paid stdin"]);
});

test("--json prints one line with the outcome for each endpoint", async () => {
  const { url, mock } = await started();
  const [good, bad] = [await subscribe(mock), await subscribe(mock, 500)];
  const { stdout, code } = await billing(["trigger", "order.paid", "--json", "--url", url]);
  expect(code).toBe(3);
  expect(stdout.trim().split("\n")).toHaveLength(1);
  expect(JSON.parse(stdout)).toMatchObject({
    type: "order.paid",
    events: [
      { url: good.url, status: "succeeded", response_status: 204, attempts: 1 },
      { url: bad.url, status: "pending", response_status: 500, attempts: 1 },
    ],
  });
  expect(stdout).not.toContain("whsec_");
});

test("reaches only the endpoints of the organization; an unknown one, or an unknown type, exits with 2", async () => {
  const { url, mock } = await started();
  const { id } = mock.organizations.create({ slug: "acme" });
  const { bodies } = await subscribe(mock, 204, { organization_id: id });
  const none = await billing(["trigger", "order.paid", "--url", url]);
  expect(none.code).toBe(3);
  expect(none.stdout).toContain("No endpoint of the mock is subscribed to order.paid.");
  expect((await billing(["trigger", "order.paid", "--organization", id, "--url", url])).code).toBe(0);
  expect(bodies()).toHaveLength(1);
  for (const args of [["order.payed"], ["order.paid", "--organization", "acme"]]) {
    const stderr = expect.stringMatching(/^billing trigger: webhooks.emit: unknown /);
    expect(await billing(["trigger", ...args, "--url", url])).toMatchObject({ code: 2, stderr });
  }
});

test("needs the password of the control API, from the environment", async () => {
  const { url, mock } = await started({ control: { password: "right-password" } });
  await subscribe(mock);
  const args = ["trigger", "order.paid", "--url", url];
  for (const env of [{}, { BILLING_MOCK_PASSWORD: "wrong-password" }]) {
    const { code, stdout, stderr } = await billing(args, env);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(
      "requires a password; it was missing or wrong. Check `password`, or BILLING_MOCK_PASSWORD.",
    );
    expect(stderr).not.toContain("wrong-password");
  }
  expect((await billing(args, { BILLING_MOCK_PASSWORD: "right-password" })).code).toBe(0);
});

test.each([
  ["<html>", /^billing trigger: no control API at .*\n$/],
  [
    undefined,
    /cannot reach a mock server at http:\/\/127\.0\.0\.1:9 \(.+\)\. Start one with npx @billing-service\/sdk mock/,
  ],
])("says what to do if the response is %s, not a mock's", async (body, advice) => {
  const server = await startLocalServer((_, response) => void response.end(body));
  const url = body === undefined ? "http://127.0.0.1:9" : server.origin;
  const { stdout, stderr, code } = await billing(["trigger", "order.paid", "--url", url]);
  expect({ stdout, code }).toEqual({ stdout: "", code: 1 });
  expect(stderr).toMatch(advice);
});
