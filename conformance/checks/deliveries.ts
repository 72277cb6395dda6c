import { hmac, type SignatureScheme, signedBytes, signingKey, WEBHOOK_HEADERS } from "../../src/webhooks/sign.ts";
import { type Check, needing, rule } from "../check.ts";
import { type Pattern, PRESENT, STRING, test } from "../pattern.ts";
import { NotObservable } from "../report.ts";
import { ENDPOINTS } from "../requester.ts";
import type { Endpoint, Service } from "../service.ts";
import { parsed } from "../service-response.ts";

/** The longest time to wait for a delivery, and the pause before looking again, in milliseconds. */
const [LONGEST_WAIT, PAUSE] = [15_000, 250];

/** The time to wait before it is clear that nothing is delivered, in milliseconds. */
const QUIET = 1_500;

/** The deliveries of an endpoint that are kept. */
const MAX_KEPT = 1_000;

/** A delivery that arrived. */
interface Delivery {
  readonly headers: Headers;
  readonly body: string;
  /** The body as JSON; undefined if it is not. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
}

const header = ({ headers }: Delivery, name: keyof typeof WEBHOOK_HEADERS) => headers.get(WEBHOOK_HEADERS[name]);

/** An endpoint of this run, and the deliveries that it has received. */
class Subscription {
  readonly endpoint: Endpoint;
  readonly #deliveries: readonly Delivery[];
  readonly #service: Service;

  constructor(service: Service, endpoint: Endpoint, deliveries: readonly Delivery[]) {
    this.endpoint = endpoint;
    this.#deliveries = deliveries;
    this.#service = service;
  }

  /** Waits until a delivery has arrived that fits, or for as long as one may take. */
  async wait(fits: (delivery: Delivery) => boolean, longest = LONGEST_WAIT): Promise<Delivery | undefined> {
    for (let waited = 0; waited < longest && !this.#deliveries.some(fits); waited += PAUSE)
      await this.#service.requester.pause(PAUSE);
    return this.#deliveries.find(fits);
  }

  /** Changes the endpoint. */
  async update(json: object): Promise<void> {
    (await this.#service.send(`PATCH ${ENDPOINTS}/${this.endpoint.id}`, { json })).requireSuccess();
  }

  /** Makes the service send an event of a type, and waits for its delivery. An event may be delivered more than once. */
  async emit(type: string, longest?: number): Promise<Delivery | undefined> {
    const { settings, requester } = this.#service;
    const earlier = [...this.#deliveries];
    const ids = new Set(earlier.map((delivery) => header(delivery, "id")).filter(Boolean));
    const organization = await this.#service.ownOrganization(String(await this.#service.tokenFor(`POST ${ENDPOINTS}`)));
    requester.requireRunning();
    await settings.trigger?.(type, organization);
    return this.wait((delivery) => !earlier.includes(delivery) && !ids.has(header(delivery, "id")), longest);
  }

  /** Emits an event of a type, and returns its delivery. */
  async deliver(type: string): Promise<Delivery> {
    const delivery = await this.emit(type);
    if (delivery) return delivery;
    throw new NotObservable("no delivery arrived");
  }
}

/**
 * Subscribes an endpoint to event types for the time of a function. The endpoint responds 500 to the first `failures`
 * deliveries, and 204 to the others.
 */
async function subscribed<Result>(
  service: Service,
  types: readonly (string | undefined)[],
  run: (subscription: Subscription) => Promise<Result>,
  failures = 0,
): Promise<Result> {
  const { requester } = service;
  const { receiver } = service.settings;
  if (!receiver) throw new NotObservable("needs a receiver of deliveries");
  // An endpoint that could not be disabled may still receive deliveries.
  const url = `${receiver.url}/${requester.created}`;
  const deliveries: Delivery[] = [];
  const stop = receiver.receive(url, async (request) => {
    if (deliveries.length === MAX_KEPT) return new Response(null, { status: 413 });
    const body = await request.text();
    deliveries.push({ headers: request.headers, body, json: parsed(body) as Delivery["json"] });
    return new Response(null, { status: deliveries.length <= failures ? 500 : 204 });
  });
  try {
    const { fields } = await service.acceptedEndpoint();
    const { disturbances } = requester;
    const created = await service.create({ ...fields, url, format: "raw", events: types }, undefined, true);
    // An earlier attempt may have created another endpoint, which no response names.
    if (requester.disturbances > disturbances)
      throw new NotObservable("the service answered 5xx when the endpoint was created, so there may be two");
    const endpoint = created.requireSuccess("no endpoint at the URL of the receiver: ").body as Endpoint;
    try {
      return await run(new Subscription(service, endpoint, deliveries));
    } finally {
      await requester.disable(endpoint.id);
    }
  } finally {
    stop();
  }
}

/** Two event types of the version: one that the endpoint lists, and one that it does not. */
function typesOf({ contract, settings: { eventTypes } }: Service): readonly [string, string | undefined] {
  const [first = "", second] = eventTypes.length > 0 ? eventTypes : contract.webhookEventTypes;
  return [first, second];
}

/** Throws a deviation unless a part of a delivery fits a pattern. */
function expectPart(service: Service, part: string, value: unknown, pattern: Pattern): void {
  service.compare("delivery", part, value, pattern, (_, found) => (found == null ? "absent" : "another value"));
}

/** What an endpoint received: an event whose first delivery failed, its retry after an update of `api_version`, and another. */
interface Seen {
  readonly endpoint: Endpoint;
  readonly first: Delivery;
  /** The other version; undefined if the endpoint has none. */
  readonly changed: string | undefined;
  readonly retry: Delivery | undefined;
  readonly later: Delivery | undefined;
}

/** Checks what an endpoint received: once for all these rules. */
function ofDelivery(id: string, check: (service: Service, seen: Seen) => unknown): Check {
  const see = (service: Service, type: string) => async (subscription: Subscription) => {
    const { endpoint } = subscription;
    const first = await subscription.deliver(type);
    const { api_version } = endpoint;
    const changed = api_version === undefined ? undefined : await service.otherVersion(api_version);
    if (changed !== undefined) await subscription.update({ api_version: changed });
    const retry = await subscription.wait((delivery) => delivery !== first);
    return { endpoint, first, changed, retry, later: retry && (await subscription.emit(type)) };
  };
  const run = async (service: Service): Promise<void> => {
    const [type] = typesOf(service);
    await check(service, await service.once("deliveries", () => subscribed(service, [type], see(service, type), 1)));
  };
  return rule(id, run);
}

/** Returns the second delivery of an event whose first failed. */
function retryOf({ retry }: Seen): Delivery {
  if (retry) return retry;
  throw new NotObservable("no retry arrived within 15 s (retry.attempts, retry.firstDelay)");
}

/** Returns the version of an endpoint. */
function versionOf({ endpoint: { api_version } }: Seen): string {
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
  subscribed(service, typesOf(service).slice(0, 1), async (subscription) => {
    await subscription.deliver(typesOf(service)[0]);
    await run(subscription, service);
  });

async function expectNone(subscription: Subscription, service: Service, type: string, what: string): Promise<void> {
  if (await subscription.emit(type, QUIET)) throw service.deviation("delivery", `none ${what}`, "a delivery");
}

/** Section 6: deliveries. */
export const deliveryChecks: readonly Check[] = needing(
  { writes: "endpoints", deliveries: true },
  rule("DEL-1", {
    "the types in events": subscribing(async (subscription, service) => {
      const [, other] = typesOf(service);
      if (other === undefined) throw new NotObservable("needs a second type (--event-type)");
      await expectNone(subscription, service, other, "of a type that is not in events");
    }),
    "while enabled is false": subscribing(async (subscription, service) => {
      await subscription.update({ enabled: false });
      await expectNone(subscription, service, typesOf(service)[0], "while enabled is false");
    }),
  }),
  rule("DEL-2", async (service) => {
    const [type] = typesOf(service);
    const bodies: Record<string, Pattern> = { raw: { type }, discord: { content: STRING }, slack: { text: STRING } };
    await subscribed(service, [type], async (subscription) => {
      for (const [format, body] of Object.entries(bodies)) {
        await subscription.update({ format });
        expectPart(service, `${format} body`, (await subscription.deliver(type)).json, body);
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
  rule("DEL-9", (service) =>
    subscribed(service, service.contract.webhookEventTypes, async (subscription) => {
      // Without a delivery, the receiver may be out of reach.
      const known = await subscription.deliver(typesOf(service)[0]);
      const response = await service.ingest({ external_id: undefined });
      response.requireSuccess("an event without external_id: ");
      if (!(await subscription.wait((delivery) => header(delivery, "id") !== header(known, "id"), QUIET))) return;
      throw service.deviation(response.request, "no delivery", "a delivery");
    }),
  ),
  ofDelivery("G-ENVELOPE", (service, { first }) => {
    const [type] = typesOf(service);
    expectPart(service, "body", first.json, { type, timestamp: STRING, api_version: STRING, data: PRESENT });
  }),
  ofDelivery("G-RETRY", (service, seen) => {
    const { first } = seen;
    const retry = retryOf(seen);
    expectPart(service, `${WEBHOOK_HEADERS.id} of the retry`, header(retry, "id"), header(first, "id"));
    const same = test("the same body as the first", (value) => value === first.body);
    expectPart(service, "body of the retry", retry.body, same);
  }),
);
