import { hmac, signedText, signingKey, WEBHOOK_HEADERS } from "../../src/webhooks/sign.ts";
import { type Check, type Needs, rule } from "../check.ts";
import { type Delivery, type Subscription, subscribed } from "../deliveries.ts";
import { INGEST, withEvent } from "../fixtures.ts";
import { versions } from "../generated/versions.ts";
import { NotObservable } from "../outcome.ts";
import { mismatch, type Pattern, PRESENT, test } from "../pattern.ts";
import type { Service } from "../service.ts";

const NEEDS: Needs = { writes: "endpoints", deliveries: true, requests: 4 };

/** Two event types of the version: one that the endpoint lists, and one that it does not. */
const typesOf = ({ contract }: Service) => contract.webhookEventTypes as readonly [string, string];

/** Emits an event to an endpoint of its own, and returns the only delivery. */
async function one(service: Service): Promise<{ delivery: Delivery; subscription: Subscription }> {
  const [type] = typesOf(service);
  return service.once("delivery", () =>
    subscribed(service, { types: [type] }, async (subscription) => {
      const [delivery] = await subscription.emit(type);
      return { delivery: required(delivery), subscription };
    }),
  );
}

function required(delivery: Delivery | undefined): Delivery {
  if (delivery) return delivery;
  throw new NotObservable("no delivery arrived");
}

/** Throws a deviation unless a part of a delivery fits a pattern. */
function expectPart(service: Service, part: string, value: unknown, pattern: Pattern): void {
  const found = mismatch(value, pattern);
  if (!found) return;
  const place = found.path === "" ? part : `${part}.${found.path}`;
  throw service.deviation(`delivery, ${place}`, found.expected, found.value == null ? "absent" : "another value");
}

const header = ({ headers }: Delivery, name: keyof typeof WEBHOOK_HEADERS) => headers.get(WEBHOOK_HEADERS[name]);

/** Emits an event whose first delivery fails. `retry` returns the second. */
async function retried(
  service: Service,
  run: (event: Subscription & { first: Delivery; retry: () => Promise<Delivery> }) => Promise<void>,
): Promise<void> {
  const [type] = typesOf(service);
  await subscribed(service, { types: [type], failures: 1 }, async (subscription) => {
    const first = required((await subscription.emit(type))[0]);
    const retry = async () => {
      const again = (await subscription.wait(2))[1];
      if (again) return again;
      throw new NotObservable("no retry arrived within 15 s (retry.attempts, retry.firstDelayMs)");
    };
    return run({ ...subscription, first, retry });
  });
}

/** Section 6: deliveries. */
export const deliveryChecks: readonly Check[] = [
  rule("DEL-1", { ...NEEDS, requests: 6 }, async (service) => {
    const [type, other] = typesOf(service);
    await subscribed(service, { types: [type] }, async ({ emit, update }) => {
      required((await emit(type))[0]);
      const none = async (what: string, emitted: string) => {
        if ((await emit(emitted, 0)).length > 0) throw service.deviation("delivery", `none ${what}`, "a delivery");
      };
      await none("of a type that is not in events", other);
      await update({ enabled: false });
      await none("while enabled is false", type);
    });
  }),
  rule("DEL-2", { ...NEEDS, requests: 6 }, async (service) => {
    const [type] = typesOf(service);
    await subscribed(service, { types: [type] }, async ({ emit, update }) => {
      const fields = { raw: { type }, discord: { content: String }, slack: { text: String } };
      for (const [format, body] of Object.entries(fields)) {
        await update({ format });
        expectPart(service, `${format} body`, required((await emit(type))[0]).json, body);
      }
    });
  }),
  rule("DEL-3", NEEDS, async (service) => {
    const { delivery, subscription } = await one(service);
    expectPart(
      service,
      WEBHOOK_HEADERS.version,
      header(delivery, "version"),
      String(subscription.endpoint["api_version"]),
    );
  }),
  rule("DEL-4", NEEDS, async (service) => {
    const { delivery, subscription } = await one(service);
    expectPart(service, "body", delivery.json, { api_version: String(subscription.endpoint["api_version"]) });
  }),
  rule("DEL-6", { ...NEEDS, requests: 8 }, async (service) => {
    const other = (before: unknown) => versions.find(({ contract }) => contract.version !== before)?.contract.version;
    await retried(service, async ({ first, retry, endpoint, emit, update }) => {
      const changed = other(endpoint["api_version"]) as string;
      await update({ api_version: changed });
      const again = await retry();
      if (!first.headers.has(WEBHOOK_HEADERS.version)) throw new NotObservable(`no ${WEBHOOK_HEADERS.version} (DEL-3)`);
      const same = test("the same as in the first delivery", (value) => value === first.json?.["api_version"]);
      expectPart(service, "body.api_version of the retry", again.json?.["api_version"], same);
      expectPart(service, "version of the retry", header(again, "version"), header(first, "version"));
      const later = required((await emit(typesOf(service)[0]))[0]);
      expectPart(service, "version of a later event", header(later, "version"), changed);
    });
  }),
  rule("DEL-7", NEEDS, async (service) => {
    const { delivery, subscription } = await one(service);
    const { secret, uses_standard_webhook_signature: standard } = subscription.endpoint;
    if (standard !== true) throw new NotObservable("uses_standard_webhook_signature is not true");
    const [id = "", timestamp = ""] = [header(delivery, "id") ?? "", header(delivery, "timestamp") ?? ""];
    const key = signingKey(String(secret).replace(/^[a-z]+_/, ""), "standard");
    const expected = `v1,${await hmac(key)(signedText({ id, timestamp, body: delivery.body }))}`;
    const signed = test("v1, and the HMAC-SHA256 of id.timestamp.body", (value) =>
      String(value).split(" ").includes(expected));
    expectPart(service, WEBHOOK_HEADERS.signature, header(delivery, "signature"), signed);
  }),
  rule("DEL-9", { ...NEEDS, requests: 6 }, async (service) => {
    const types = service.contract.webhookEventTypes;
    await subscribed(service, { types }, async ({ deliveries, wait }) => {
      const answer = await service.send(INGEST, {
        json: { events: [await withEvent(service, { external_id: undefined })] },
      });
      if (answer.status > 299) throw new NotObservable("no event is accepted without external_id");
      await wait(1, 1_500);
      if (deliveries.length > 0) throw service.deviation(answer.request, "no delivery", "a delivery");
    });
  }),
  rule("G-ENVELOPE", NEEDS, async (service) => {
    const { delivery } = await one(service);
    const [type] = typesOf(service);
    expectPart(service, "body", delivery.json, { type, timestamp: String, api_version: String, data: PRESENT });
  }),
  rule("G-SEQUENCE", { ...NEEDS, requests: 5 }, async (service) => {
    const types = typesOf(service).slice(0, 2);
    await subscribed(service, { types }, async ({ trigger, wait }) => {
      const sent = [...types, ...types];
      for (const type of sent) await trigger(type);
      const received = (await wait(sent.length)).map(({ json }) => json?.["type"]);
      if (received.length < sent.length)
        throw new NotObservable(`${received.length} of ${sent.length} deliveries arrived`);
      expectPart(service, "order of the types", received.join(), sent.join());
    });
  }),
  rule("G-RETRY", { ...NEEDS, requests: 5 }, async (service) => {
    await retried(service, async ({ first, retry }) => {
      const again = await retry();
      expectPart(service, `${WEBHOOK_HEADERS.id} of the retry`, header(again, "id"), header(first, "id"));
      const same = test("the same body as the first", (value) => value === first.body);
      expectPart(service, "body of the retry", again.body, same);
    });
  }),
];
