import { expect, test } from "vitest";
import { signWebhook } from "#current/webhooks";
import { billing, fileWith } from "../support/command.ts";
import { started } from "../support/started-server.ts";

const SECRET = "whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=";

/** A delivery that was signed long ago. */
const { headers, body } = await signWebhook(
  { type: "order.paid", data: { name: "café" } },
  { secret: SECRET, signedAt: new Date("2025-01-31T12:00:00Z") },
);

/** Verifies a delivery from stdin. */
function verify(delivery: unknown, secret: string | undefined = SECRET, ...args: string[]) {
  return billing(["verify", ...args], { WEBHOOK_SECRET: secret }, JSON.stringify(delivery));
}

test("accepts a delivery of any age, from stdin or a file", async () => {
  const result = await verify({ headers, body });
  expect(result).toMatchObject({ code: 0, stderr: "" });
  const facts = /^Valid: order\.paid\nversion [\d-]+, id .+, signed at 2025-01-31T12:00:00\.000Z\n/;
  expect(result.stdout).toMatch(facts);
  const file = fileWith(JSON.stringify({ headers, body }), "delivery.json");
  expect(await billing(["verify", file], { WEBHOOK_SECRET: SECRET })).toEqual(result);
});

test("accepts a delivery of the mock", async () => {
  const { mock, url } = await started();
  const { secret } = mock.webhookEndpoints.create({ url: "http://127.0.0.1:9/hooks", events: ["order.paid"] });
  mock.webhooks.emit("order.paid", { id: "1" });
  await mock.webhooks.idle();
  const [delivery] = await (await fetch(`${url}/__mock/webhooks/deliveries`)).json();
  expect((await verify(delivery, secret)).code).toBe(0);
});

test.each<[string, string, unknown]>([
  ["signature-mismatch", "The signature does not match.", { headers, body: body.replace("café", "tea") }],
  ["body-parsed", "a body parser", { headers, body: JSON.parse(body) }],
  ["header-missing", "webhook-id", { headers: {}, body }],
])("prints the reason %s and its usual cause", async (reason, cause, delivery) => {
  const { stdout, code } = await verify(delivery, SECRET, "--json");
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toEqual({ valid: false, reason, message: expect.stringContaining(cause) });
});

test.each([
  ["POST /webhooks HTTP/1.1\n\n{}", SECRET, "the delivery is not JSON in UTF-8 or UTF-16: "],
  [JSON.stringify(body), SECRET, 'the delivery must have "headers" (an object) and "body" (a string). In your server'],
  [
    JSON.stringify({ headers, body }),
    "",
    "WEBHOOK_SECRET must be the endpoint's secret; received fewer than 16 characters",
  ],
  [JSON.stringify({ headers, body }), `${SECRET}\n`, "WEBHOOK_SECRET must not start or end with whitespace"],
])("explains what is wrong with the input, and prints no secret: %.20s", async (input, secret, problem) => {
  const { stdout, stderr, code } = await billing(["verify"], { WEBHOOK_SECRET: secret }, input);
  expect({ stdout, code }).toEqual({ stdout: "", code: 2 });
  expect(stderr).toContain(`billing verify: ${problem}`);
  expect(stderr).not.toContain("whsec_AQ");
});
