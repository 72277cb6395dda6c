import { hmac, signedText, signingKey, WEBHOOK_HEADERS } from "../../src/webhooks/sign.ts";
import { type Check, type Needs, rule } from "../check.ts";
import { type Delivery, type Subscription, subscribed } from "../deliveries.ts";
import { INGEST, withEvent } from "../fixtures.ts";
import { versions } from "../generated/versions.ts";
import { NotObservable } from "../outcome.ts";
import { mismatch, type Pattern, PRESENT, test, textOf } from "../pattern.ts";
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
  const place = [part, found.path].filter((each) => each !== "").join(".");
  throw service.deviation(
    `delivery, ${place}`,
    textOf(pattern),
    value === undefined || value === null ? "absent" : "another value",
  );
}

/** Describes the body of a delivery without showing it, because it is the data of a customer. */
const sameAs = ({ body }: Delivery) => test("the same body as the first", (value) => value === body);

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
    const { api_version: version } = subscription.endpoint;
    expectPart(service, WEBHOOK_HEADERS.version, delivery.headers.get(WEBHOOK_HEADERS.version), String(version));
  }),
  rule("DEL-4", NEEDS, async (service) => {
    const { delivery, subscription } = await one(service);
    expectPart(service, "body", delivery.json, { api_version: String(subscription.endpoint["api_version"]) });
  }),
  rule("DEL-6", { ...NEEDS, requests: 8 }, async (service) => {
    const [type] = typesOf(service);
    await subscribed(service, { types: [type], failures: 1 }, async ({ endpoint, emit, update, wait }) => {
      const first = required((await emit(type))[0]);
      const before = String(endpoint["api_version"]);
      const other = versions.find(({ contract }) => contract.version !== before)?.contract.version as string;
      await update({ api_version: other });
      const again = (await wait(2))[1];
      if (!again) throw new NotObservable("no retry arrived");
      if (!first.headers.has(WEBHOOK_HEADERS.version)) throw new NotObservable(`no ${WEBHOOK_HEADERS.version} (DEL-3)`);
      const same = (value: unknown) => value === first.json?.["api_version"];
      expectPart(service, "body.api_version of the retry", again.json?.["api_version"], {
        expected: "the same as of the first",
        fits: same,
      });
      expectPart(
        service,
        "version of the retry",
        again.headers.get(WEBHOOK_HEADERS.version),
        first.headers.get(WEBHOOK_HEADERS.version),
      );
      const later = required((await emit(type))[0]);
      expectPart(service, "version of a later event", later.headers.get(WEBHOOK_HEADERS.version), other);
    });
  }),
  rule("DEL-7", NEEDS, async (service) => {
    const { delivery, subscription } = await one(service);
    const { secret, uses_standard_webhook_signature: standard } = subscription.endpoint;
    if (standard !== true) throw new NotObservable("uses_standard_webhook_signature is not true");
    const [id, timestamp] = [WEBHOOK_HEADERS.id, WEBHOOK_HEADERS.timestamp].map(
      (name) => delivery.headers.get(name) ?? "",
    );
    const text = signedText({ id: id as string, timestamp: timestamp as string, body: delivery.body });
    const expected = `v1,${await hmac(keyOf(String(secret)))(text)}`;
    const signatures = delivery.headers.get(WEBHOOK_HEADERS.signature)?.split(" ") ?? [];
    if (signatures.includes(expected)) return;
    throw service.deviation(
      `delivery, ${WEBHOOK_HEADERS.signature}`,
      "v1, and the HMAC-SHA256 of id.timestamp.body",
      signatures.length === 0 ? "absent" : "another signature",
    );
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
    const [type] = typesOf(service);
    await subscribed(service, { types: [type], failures: 1 }, async ({ emit, wait }) => {
      const first = required((await emit(type))[0]);
      const again = (await wait(2))[1];
      if (!again) throw new NotObservable("no retry arrived within 15 s (retry.attempts, retry.firstDelayMs)");
      expectPart(
        service,
        `${WEBHOOK_HEADERS.id} of the retry`,
        again.headers.get(WEBHOOK_HEADERS.id),
        first.headers.get(WEBHOOK_HEADERS.id),
      );
      expectPart(service, "body of the retry", again.body, sameAs(first));
    });
  }),
];

/** Returns the key of the Standard Webhooks scheme: the base64 after the prefix of a secret. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  return signingKey(secret.replace(/^[a-z]+_/, ""), "standard");
}
