import { hmac, type SignatureScheme, signedBytes, signingKey, WEBHOOK_HEADERS } from "../../src/webhooks/sign.ts";
import { type Check, type Needs, rule } from "../check.ts";
import { type Delivery, QUIET, type Subscription, subscribed } from "../deliveries.ts";
import { NotObservable } from "../outcome.ts";
import { type Pattern, PRESENT, STRING, test } from "../pattern.ts";
import type { Service } from "../service.ts";

const NEEDS: Needs = { writes: "endpoints", deliveries: true, requests: 8 };

/** Two event types of the version: one that the endpoint lists, and one that it does not. */
function typesOf({ contract, settings: { eventTypes } }: Service): readonly [string, string | undefined] {
  const [first = "", second] = eventTypes.length > 0 ? eventTypes : contract.webhookEventTypes;
  return [first, second];
}

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
  /** The other version; undefined if the endpoint has none. */
  readonly changed: string | undefined;
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
        const { api_version } = endpoint;
        const changed = api_version === undefined ? undefined : await service.otherVersion(api_version);
        if (changed !== undefined) await subscription.update({ api_version: changed });
        const [, retry] = await subscription.wait(2);
        return { endpoint, first, changed, retry, later: retry && (await subscription.emit(type)) };
      });
    await check(service, await service.once("deliveries", see));
  });
}

/** Returns the second delivery of an event whose first failed. */
function retryOf({ retry }: Seen): Delivery {
  if (retry) return retry;
  throw new NotObservable("no retry arrived within 15 s (retry.attempts, retry.firstDelay)");
}

/** Returns the version of an endpoint. */
function versionOf({ endpoint }: Seen): string {
  const { api_version } = endpoint;
  if (typeof api_version === "string") return api_version;
  throw new NotObservable("the endpoint has no api_version (WHE-3)");
}

/** Checks the signature of a delivery if the endpoint says that it uses a scheme. */
function signedWith(id: string, scheme: SignatureScheme): Check {
  return ofDelivery(id, async (service, { first, endpoint }) => {
    const { secret, uses_standard_webhook_signature: isStandard } = endpoint;
    if (isStandard !== (scheme === "standard"))
      throw new NotObservable(`uses_standard_webhook_signature is ${isStandard ?? "absent"}`);
    const [messageId = "", timestamp = ""] = [header(first, "id") ?? "", header(first, "timestamp") ?? ""];
    const key = signingKey(String(secret).replace(scheme === "standard" ? /^[a-z]+_/ : "", ""), scheme);
    const expected = `v1,${await hmac(key)(signedBytes({ id: messageId, timestamp, body: first.body }))}`;
    const isSigned = (value: unknown) => String(value).split(" ").includes(expected);
    const signed = test(`v1, and the HMAC-SHA256 of id.timestamp.body (${scheme} scheme)`, isSigned);
    expectPart(service, WEBHOOK_HEADERS.signature, header(first, "signature"), signed);
  });
}

/** Returns a clause of DEL-1, which has an endpoint of its own. */
const subscribing = (run: (subscription: Subscription, service: Service) => Promise<void>) => (service: Service) =>
  subscribed(service, { types: typesOf(service).slice(0, 1) as string[] }, async (subscription) => {
    await delivered(subscription, typesOf(service)[0]);
    await run(subscription, service);
  });

async function expectNone(subscription: Subscription, service: Service, type: string, what: string): Promise<void> {
  if (await subscription.emit(type, QUIET)) throw service.deviation("delivery", `none ${what}`, "a delivery");
}

/** Section 6: deliveries. */
export const deliveryChecks: readonly Check[] = [
  rule(
    "DEL-1",
    { ...NEEDS, requests: 16 },
    {
      "the types in events": subscribing(async (subscription, service) => {
        const [, other] = typesOf(service);
        if (other === undefined) throw new NotObservable("needs a second type", "eventTypes");
        await expectNone(subscription, service, other, "of a type that is not in events");
      }),
      "while enabled is false": subscribing(async (subscription, service) => {
        await subscription.update({ enabled: false });
        await expectNone(subscription, service, typesOf(service)[0], "while enabled is false");
      }),
    },
  ),
  rule("DEL-2", NEEDS, async (service) => {
    const [type] = typesOf(service);
    await subscribed(service, { types: [type] }, async (subscription) => {
      for (const [format, body] of Object.entries<Pattern>({ raw: { type }, ...FORMATS })) {
        await subscription.update({ format });
        expectPart(service, `${format} body`, (await delivered(subscription, type)).json, body);
      }
    });
  }),
  ofDelivery("DEL-3", (service, seen) =>
    expectPart(service, WEBHOOK_HEADERS.version, header(seen.first, "version"), versionOf(seen)),
  ),
  ofDelivery("DEL-4", (service, seen) =>
    expectPart(service, "body", seen.first.json, { api_version: versionOf(seen) }),
  ),
  ofDelivery("DEL-6", (service, seen) => {
    const { first, changed, later } = seen;
    versionOf(seen);
    const retry = retryOf(seen);
    if (!header(first, "version")) throw new NotObservable(`no ${WEBHOOK_HEADERS.version} (DEL-3)`);
    if (!later || changed === undefined) throw new NotObservable("no delivery arrived");
    const same = test("the same as in the first delivery", (value) => value === first.json?.["api_version"]);
    expectPart(service, "body.api_version of the retry", retry.json?.["api_version"], same);
    expectPart(service, "version of the retry", header(retry, "version"), header(first, "version"));
    expectPart(service, "version of a later event", header(later, "version"), changed);
  }),
  signedWith("DEL-7", "standard"),
  signedWith("DEL-8", "original"),
  rule("DEL-9", NEEDS, (service) =>
    subscribed(service, { types: service.contract.webhookEventTypes }, async (subscription) => {
      const response = await service.ingest({ external_id: undefined });
      response.requireSuccess("an event without external_id: ");
      if ((await subscription.wait(1, QUIET)).length === 0) return;
      throw service.deviation(response.request, "no delivery", "a delivery");
    }),
  ),
  ofDelivery("G-ENVELOPE", (service, { first }) => {
    const [type] = typesOf(service);
    expectPart(service, "body", first.json, { type, timestamp: STRING, api_version: STRING, data: PRESENT });
  }),
  rule("G-SEQUENCE", NEEDS, (service) => {
    const types = typesOf(service).flatMap((type) => type ?? []);
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
