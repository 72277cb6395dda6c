import { hmac, signedText, signingKey, WEBHOOK_HEADERS } from "../../src/webhooks/sign.ts";
import { type Check, type Needs, rule } from "../check.ts";
import { type Delivery, QUIET, type Subscription, subscribed } from "../deliveries.ts";
import { ingest } from "../fixtures.ts";
import { versions } from "../generated/versions.ts";
import { NotObservable } from "../outcome.ts";
import { type Pattern, PRESENT, test } from "../pattern.ts";
import { requireSuccess, type Service } from "../service.ts";

const NEEDS: Needs = { writes: "endpoints", deliveries: true, requests: 8 };

/** Two event types of the version: one that the endpoint lists, and one that it does not. */
const typesOf = ({ contract }: Service) => contract.webhookEventTypes as readonly [string, string];

const header = ({ headers }: Delivery, name: keyof typeof WEBHOOK_HEADERS) => headers.get(WEBHOOK_HEADERS[name]);

/** Emits an event of a type, and returns its delivery. */
async function delivered(subscription: Subscription, type: string): Promise<Delivery> {
  const delivery = await subscription.emit(type);
  if (delivery) return delivery;
  throw new NotObservable("no delivery arrived");
}

/** Throws a deviation unless a part of a delivery fits a pattern. */
function expectPart(service: Service, part: string, value: unknown, pattern: Pattern): void {
  const describe = (_: string, found: unknown) => (found == null ? "absent" : "another value");
  service.compare("delivery", part, value, pattern, describe);
}

/** Checks the only delivery of an event, which is emitted once for all these rules. */
function ofDelivery(
  id: string,
  check: (service: Service, delivery: Delivery, endpoint: Subscription["endpoint"]) => unknown,
) {
  return rule(id, NEEDS, async (service) => {
    const [type] = typesOf(service);
    const { delivery, endpoint } = await service.once("delivery", () =>
      subscribed(service, { types: [type] }, async (subscription) => {
        return { delivery: await delivered(subscription, type), endpoint: subscription.endpoint };
      }),
    );
    await check(service, delivery, endpoint);
  });
}

type Event = { readonly subscription: Subscription; readonly first: Delivery; readonly retry: () => Promise<Delivery> };

/** Checks an event whose first delivery fails. `retry` returns the second. */
function ofRetry(id: string, check: (service: Service, event: Event) => Promise<void>): Check {
  return rule(id, NEEDS, async (service) => {
    const [type] = typesOf(service);
    await subscribed(service, { types: [type], failures: 1 }, async (subscription) => {
      const first = await delivered(subscription, type);
      const retry = async () => {
        const again = (await subscription.wait(2))[1];
        if (again) return again;
        throw new NotObservable("no retry arrived within 15 s (retry.attempts, retry.firstDelayMs)");
      };
      await check(service, { subscription, first, retry });
    });
  });
}

/** Section 6: deliveries. */
export const deliveryChecks: readonly Check[] = [
  rule("DEL-1", NEEDS, async (service) => {
    const [type, other] = typesOf(service);
    await subscribed(service, { types: [type] }, async (subscription) => {
      const none = async (what: string, emitted: string) => {
        if (await subscription.emit(emitted, QUIET)) throw service.deviation("delivery", `none ${what}`, "a delivery");
      };
      await delivered(subscription, type);
      await none("of a type that is not in events", other);
      await subscription.update({ enabled: false });
      await none("while enabled is false", type);
    });
  }),
  rule("DEL-2", NEEDS, async (service) => {
    const [type] = typesOf(service);
    await subscribed(service, { types: [type] }, async (subscription) => {
      for (const [format, body] of Object.entries({
        raw: { type },
        discord: { content: String },
        slack: { text: String },
      })) {
        await subscription.update({ format });
        expectPart(service, `${format} body`, (await delivered(subscription, type)).json, body);
      }
    });
  }),
  ofDelivery("DEL-3", (service, delivery, { api_version }) =>
    expectPart(service, WEBHOOK_HEADERS.version, header(delivery, "version"), String(api_version)),
  ),
  ofDelivery("DEL-4", (service, { json }, endpoint) =>
    expectPart(service, "body", json, { api_version: String(endpoint["api_version"]) }),
  ),
  ofRetry("DEL-6", async (service, { first, retry, subscription }) => {
    const { api_version: before } = subscription.endpoint;
    const changed = versions.find(({ contract }) => contract.version !== before)?.contract.version as string;
    await subscription.update({ api_version: changed });
    const again = await retry();
    if (!header(first, "version")) throw new NotObservable(`no ${WEBHOOK_HEADERS.version} (DEL-3)`);
    const same = test("the same as in the first delivery", (value) => value === first.json?.["api_version"]);
    expectPart(service, "body.api_version of the retry", again.json?.["api_version"], same);
    expectPart(service, "version of the retry", header(again, "version"), header(first, "version"));
    const later = await delivered(subscription, typesOf(service)[0]);
    expectPart(service, "version of a later event", header(later, "version"), changed);
  }),
  ofDelivery("DEL-7", async (service, delivery, { secret, uses_standard_webhook_signature: standard }) => {
    if (standard !== true) throw new NotObservable("uses_standard_webhook_signature is not true");
    const [id = "", timestamp = ""] = [header(delivery, "id") ?? "", header(delivery, "timestamp") ?? ""];
    const key = signingKey(String(secret).replace(/^[a-z]+_/, ""), "standard");
    const expected = `v1,${await hmac(key)(signedText({ id, timestamp, body: delivery.body }))}`;
    const isSigned = (value: unknown) => String(value).split(" ").includes(expected);
    const signed = test("v1, and the HMAC-SHA256 of id.timestamp.body", isSigned);
    expectPart(service, WEBHOOK_HEADERS.signature, header(delivery, "signature"), signed);
  }),
  rule("DEL-9", NEEDS, async (service) => {
    await subscribed(service, { types: service.contract.webhookEventTypes }, async (subscription) => {
      const answer = await ingest(service, { external_id: undefined });
      requireSuccess(answer, "an event without external_id: ");
      if ((await subscription.wait(1, QUIET)).length > 0)
        throw service.deviation(answer.request, "no delivery", "a delivery");
    });
  }),
  ofDelivery("G-ENVELOPE", (service, { json }) => {
    const [type] = typesOf(service);
    expectPart(service, "body", json, { type, timestamp: String, api_version: String, data: PRESENT });
  }),
  rule("G-SEQUENCE", NEEDS, async (service) => {
    const types = typesOf(service).slice(0, 2);
    await subscribed(service, { types }, async (subscription) => {
      const sent = [...types, ...types];
      for (const type of sent) await subscription.trigger(type);
      const received = (await subscription.wait(sent.length)).map(({ json }) => json?.["type"]);
      if (received.length < sent.length)
        throw new NotObservable(`${received.length} of ${sent.length} deliveries arrived`);
      expectPart(service, "order of the types", received.join(), sent.join());
    });
  }),
  ofRetry("G-RETRY", async (service, { first, retry }) => {
    const again = await retry();
    expectPart(service, `${WEBHOOK_HEADERS.id} of the retry`, header(again, "id"), header(first, "id"));
    const same = test("the same body as the first", (value) => value === first.body);
    expectPart(service, "body of the retry", again.body, same);
  }),
];
