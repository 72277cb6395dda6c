import { expect, test } from "vitest";
import { signWebhook } from "#current/webhooks";
import { billing, fileWith } from "../support/command.ts";
import { started } from "../support/started-server.ts";
import { CURRENT, NEXT } from "../support/versions.ts";

const SECRET = "whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=";
const env = { WEBHOOK_SECRET: SECRET };

interface Delivery {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A signed delivery of an `order.paid` event. */
async function signed(options: Partial<Parameters<typeof signWebhook>[1]> = {}): Promise<Delivery> {
  const event = { type: "order.paid", data: { name: "café" } } as const;
  const { headers, body } = await signWebhook(event, { secret: SECRET, ...options });
  return { headers: { ...headers }, body };
}

/** A delivery as an HTTP request. */
function httpOf({ headers, body }: Delivery, ending = "\n"): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return ["POST /webhooks HTTP/1.1", "Host: shop.example", ...lines, "", body].join(ending);
}

/** Verifies a delivery from stdin. */
function verify(stdin: string, ...args: string[]) {
  return billing(["verify", ...args], env, stdin);
}

async function reasonOf(delivery: Delivery, ...args: string[]): Promise<unknown> {
  const { stdout } = await verify(JSON.stringify(delivery), "--json", ...args);
  return JSON.parse(stdout).reason;
}

test.each(["\n", "\r\n"])("accepts an HTTP request with the line ending %j, from a file or stdin", async (ending) => {
  const delivery = await signed();
  const text = httpOf(delivery, ending);
  const result = await verify(text);
  expect(result).toMatchObject({ code: 0, stderr: "" });
  expect(result.stdout).toMatch(/^Valid: order\.paid\nversion [\d-]+, id .+, signed at \d{4}-.+Z\n$/);
  expect(result.stdout).toContain(delivery.headers["webhook-id"]);
  expect(await billing(["verify", fileWith(text, "delivery.txt")], env)).toEqual(result);
  // An editor may add line breaks at the end.
  expect((await verify(text + ending.repeat(2))).code).toBe(0);
  const headers = { ...delivery.headers, "content-length": String(Buffer.byteLength(delivery.body)) };
  expect((await verify(httpOf({ ...delivery, headers }, ending) + ending.repeat(3))).code).toBe(0);
});

test("verifies a delivery of the mock at the time when the mock sent it", async () => {
  const { mock, url } = await started();
  const { secret } = mock.webhookEndpoints.create({ url: "http://127.0.0.1:9/hooks", events: ["order.paid"] });
  mock.webhooks.emit("order.paid", { id: "1" });
  await mock.webhooks.idle();
  const list = await (await fetch(`${url}/__mock/webhooks/deliveries`)).text();
  const result = await billing(["verify"], { WEBHOOK_SECRET: secret }, list);
  expect(result).toMatchObject({ code: 0, stderr: "" });
  const [delivery] = JSON.parse(list);
  const old = { ...delivery, at: "2020-01-01T00:00:00Z" };
  const late = await billing(["verify", "--json"], { WEBHOOK_SECRET: secret }, JSON.stringify(old));
  expect(JSON.parse(late.stdout).reason).toBe("timestamp-too-new");
});

test("an old delivery is rejected for its age only if its signature is valid", async () => {
  const delivery = await signed({ signedAt: new Date("2025-01-31T12:00:00Z") });
  const { stdout, code } = await verify(httpOf(delivery));
  expect(code).toBe(3);
  expect(stdout).toMatch(/^Rejected: timestamp-too-old\n/);
  expect(stdout).toContain("The signature is valid, so the secret and the body are right.");
  expect((await verify(httpOf(delivery), "--received", "2025-01-31T12:04:00Z")).code).toBe(0);
  expect((await verify(httpOf(delivery), "--received", "2025-01-31T12:06:00Z")).code).toBe(3);
  expect(await reasonOf({ ...delivery, body: delivery.body.replace("café", "tea") })).toBe("signature-mismatch");
});

test("names the reason for other deliveries, and never prints the secret", async () => {
  const delivery = await signed();
  expect(await reasonOf({ ...delivery, body: JSON.parse(delivery.body) })).toBe("body-parsed");
  expect(await reasonOf(delivery, "--version", NEXT)).toBe("version-mismatch");
  expect((await verify(JSON.stringify(delivery), "--version", NEXT)).stdout).toContain(
    `The event has version ${CURRENT}; expected ${NEXT}. Pass versions: ["${CURRENT}"] to the receiver, or change api_version`,
  );
  const huge = { ...delivery.headers, "webhook-timestamp": "9".repeat(15) };
  expect(await reasonOf({ ...delivery, headers: huge })).toBe("signature-mismatch");
  const other = await billing(["verify"], { WEBHOOK_SECRET: "whsec_of-another-endpoint" }, JSON.stringify(delivery));
  expect(other).toMatchObject({ code: 3, stderr: "" });
  expect(other.stdout).toContain("the secret belongs to another endpoint");
  expect(other.stdout).not.toContain("whsec_");
});

test("tries each secret that --secret-variable names", async () => {
  const text = JSON.stringify(await signed());
  const variables = { OLD: "whsec_of-another-endpoint", NEW: SECRET };
  const args = ["verify", "--secret-variable", "OLD"];
  expect((await billing(args, variables, text)).code).toBe(3);
  expect((await billing([...args, "--secret-variable", "NEW"], variables, text)).code).toBe(0);
});

test.each([
  ["short", "WEBHOOK_SECRET must be ", []],
  [`${SECRET}\n`, "OTHER starts or ends with whitespace.", ["--secret-variable", "OTHER"]],
  ["", "WEBHOOK_SECRET is not set. Set it to the secret of the endpoint, or see --secret-variable.", []],
  [SECRET, "argument 2 looks like a token or a secret. Save it in", ["--secret-variable", SECRET]],
])("a secret %j is rejected with the name of its variable, and not printed", async (secret, problem, args) => {
  const text = JSON.stringify(await signed());
  const variables = { WEBHOOK_SECRET: secret, OTHER: secret };
  const { stdout, stderr, code } = await billing(["verify", ...args], variables, text);
  expect({ stdout, code }).toEqual({ stdout: "", code: 2 });
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(stderr.startsWith(`billing verify: ${problem}`)).toBe(true);
  expect(stderr).not.toMatch(/short|whsec_AQ/);
});

test("a long header takes time linear in its length", async () => {
  const before = process.cpuUsage();
  const { code } = await verify(`webhook-id: ${" ".repeat(1_000_000)}\u2028\n\n{}`);
  expect(code).toBe(3);
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
});
