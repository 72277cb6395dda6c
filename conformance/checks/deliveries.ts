import { hmac, signedBytes, signingKey, WEBHOOK_HEADERS } from "../../src/webhooks/sign.ts";
import { type Check, type Needs, rule } from "../check.ts";
import { type Delivery, QUIET, type Subscription, subscribed } from "../deliveries.ts";
import { NotObservable } from "../outcome.ts";
import { type Pattern, PRESENT, STRING, test } from "../pattern.ts";
import { otherVersion, type Service } from "../service.ts";

const NEEDS: Needs = { writes: "endpoints", deliveries: true, requests: 8 };

/** Two event types of the version: one that the endpoint lists, and one that it does not. */
const typesOf = ({ contract }: Service) => contract.webhookEventTypes as readonly [string, string];

/** The bodies of the formats. */
const FORMATS = { discord: { content: STRING }, slack: { text: STRING } };

const header = ({ headers }: Delivery, name: keyof typeof WEBHOOK_HEADERS) => headers.get(WEBHOOK_HEADERS[name]);

/** Emits an event of a type, and returns its delivery. */
async function delivered(subscription: Subscription, type: string): Promise<Delivery> {
  const delivery = await subscription.emit(type);
  if (delivery) return delivery;
  throw new NotObservable("no delivery arrived");
}

/** Throws a deviation unless a part of a delivery fits a pattern. */
function expectPart(service: Service, part: string, value: unknown, pattern: Pattern): void {
  service.compare("delivery", part, value, pattern, (_, found) => (found == null ? "absent" : "another value"));
}

/** What an endpoint received: an event whose first delivery failed, its retry after an update of `api_version`, and another. */
interface Seen {
  readonly endpoint: Subscription["endpoint"];
  readonly first: Delivery;
  readonly changed: string;
  readonly retry: Delivery | undefined;
  readonly later: Delivery | undefined;
}

/** Checks what an endpoint received: once for all these rules. */
function ofDelivery(id: string, check: (service: Service, seen: Seen) => unknown): Check {
  return rule(id, NEEDS, async (service) => {
    const [type] = typesOf(service);
    const see = () =>
      subscribed(service, { types: [type], failures: 1 }, async (subscription): Promise<Seen> => {
        const { endpoint } = subscription;
        const first = await delivered(subscription, type);
        const changed = otherVersion(endpoint["api_version"]);
        await subscription.update({ api_version: changed });
        const [, retry] = await subscription.wait(2);
        return { endpoint, first, changed, retry, later: retry && (await subscription.emit(type)) };
      });
    await check(service, await service.once("deliveries", see));
  });
}

/** Returns the second delivery of an event whose first failed. */
function retryOf({ retry }: Seen): Delivery {
  if (retry) return retry;
  throw new NotObservable("no retry arrived within 15 s (retry.attempts, retry.firstDelayMs)");
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
      for (const [format, body] of Object.entries<Pattern>({ raw: { type }, ...FORMATS })) {
        await subscription.update({ format });
        expectPart(service, `${format} body`, (await delivered(subscription, type)).json, body);
      }
    });
  }),
  ofDelivery("DEL-3", (service, { first, endpoint }) =>
    expectPart(service, WEBHOOK_HEADERS.version, header(first, "version"), String(endpoint["api_version"])),
  ),
  ofDelivery("DEL-4", (service, { first, endpoint }) =>
    expectPart(service, "body", first.json, { api_version: String(endpoint["api_version"]) }),
  ),
  ofDelivery("DEL-6", (service, seen) => {
    const { first, changed, later } = seen;
    const retry = retryOf(seen);
    if (!header(first, "version")) throw new NotObservable(`no ${WEBHOOK_HEADERS.version} (DEL-3)`);
    if (!later) throw new NotObservable("no delivery arrived");
    const same = test("the same as in the first delivery", (value) => value === first.json?.["api_version"]);
    expectPart(service, "body.api_version of the retry", retry.json?.["api_version"], same);
    expectPart(service, "version of the retry", header(retry, "version"), header(first, "version"));
    expectPart(service, "version of a later event", header(later, "version"), changed);
  }),
  ofDelivery("DEL-7", async (service, { first, endpoint }) => {
    const { secret, uses_standard_webhook_signature: standard } = endpoint;
    if (standard !== true) throw new NotObservable("uses_standard_webhook_signature is not true");
    const [id = "", timestamp = ""] = [header(first, "id") ?? "", header(first, "timestamp") ?? ""];
    const key = signingKey(String(secret).replace(/^[a-z]+_/, ""), "standard");
    const expected = `v1,${await hmac(key)(signedBytes({ id, timestamp, body: first.body }))}`;
    const isSigned = (value: unknown) => String(value).split(" ").includes(expected);
    const signed = test("v1, and the HMAC-SHA256 of id.timestamp.body", isSigned);
    expectPart(service, WEBHOOK_HEADERS.signature, header(first, "signature"), signed);
  }),
  rule("DEL-9", NEEDS, (service) =>
    subscribed(service, { types: service.contract.webhookEventTypes }, async (subscription) => {
      const answer = await service.ingest({ external_id: undefined });
      answer.requireSuccess("an event without external_id: ");
      if ((await subscription.wait(1, QUIET)).length === 0) return;
      throw service.deviation(answer.request, "no delivery", "a delivery");
    }),
  ),
  ofDelivery("G-ENVELOPE", (service, { first }) => {
    const [type] = typesOf(service);
    expectPart(service, "body", first.json, { type, timestamp: STRING, api_version: STRING, data: PRESENT });
  }),
  rule("G-SEQUENCE", NEEDS, (service) => {
    const types = typesOf(service).slice(0, 2);
    return subscribed(service, { types }, async (subscription) => {
      const sent = [...types, ...types];
      for (const type of sent) await subscription.trigger(type);
      const received = (await subscription.wait(sent.length)).map(({ json }) => json?.["type"]);
      if (received.length < sent.length)
        throw new NotObservable(`${received.length} of ${sent.length} deliveries arrived`);
      expectPart(service, "order of the types", received.join(), sent.join());
    });
  }),
  ofDelivery("G-RETRY", (service, seen) => {
    const { first } = seen;
    const retry = retryOf(seen);
    expectPart(service, `${WEBHOOK_HEADERS.id} of the retry`, header(retry, "id"), header(first, "id"));
    const same = test("the same body as the first", (value) => value === first.body);
    expectPart(service, "body of the retry", retry.body, same);
  }),
];
