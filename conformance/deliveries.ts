import { WEBHOOK_HEADERS } from "../src/webhooks/sign.ts";
import { finished } from "./options.ts";
import { NotObservable } from "./outcome.ts";
import { ENDPOINTS } from "./requester.ts";
import type { Endpoint, Service } from "./service.ts";
import { parsed } from "./service-response.ts";

/** A delivery that arrived. */
export interface Delivery {
  /** The arrival time, by the run's clock. */
  readonly at: number;
  readonly headers: Headers;
  readonly body: string;
  /** The body as JSON; undefined if it is not. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
}

/** The longest time to wait for a delivery, and the pause before looking again, in milliseconds. */
const [LONGEST_WAIT, PAUSE] = [15_000, 250];

/** The time to wait before it is clear that nothing is delivered, in milliseconds. */
export const QUIET = 1_500;

/** The deliveries of an endpoint that are kept. */
const MAX_KEPT = 1_000;

/** An endpoint of this run, and the deliveries that it has received. */
export class Subscription {
  readonly endpoint: Endpoint;
  readonly deliveries: readonly Delivery[];
  readonly #service: Service;

  constructor(service: Service, endpoint: Endpoint, deliveries: readonly Delivery[]) {
    this.endpoint = endpoint;
    this.deliveries = deliveries;
    this.#service = service;
  }

  /** Waits until this many deliveries have arrived, or for as long as a delivery may take. */
  async wait(count: number, longest = LONGEST_WAIT): Promise<readonly Delivery[]> {
    for (let waited = 0; this.deliveries.length < count && waited < longest; waited += PAUSE)
      await this.#service.requester.pause(PAUSE);
    return [...this.deliveries];
  }

  /** Changes the endpoint. */
  async update(json: object): Promise<void> {
    (await this.#service.send(`PATCH ${ENDPOINTS}/${this.endpoint.id}`, { json })).requireSuccess();
  }

  /** Makes the service send an event of a type. */
  async trigger(type: string): Promise<void> {
    const { settings, requester } = this.#service;
    const organization = await this.#service.ownOrganization(String(await this.#service.tokenFor(`POST ${ENDPOINTS}`)));
    requester.requireRunning();
    await finished("trigger", () => settings.trigger?.(type, organization), settings.signal);
    requester.requireRunning();
  }

  /** Makes the service send an event of a type, and waits for its delivery. An event may be delivered more than once. */
  async emit(type: string, longest = LONGEST_WAIT): Promise<Delivery | undefined> {
    const known = new Set(this.deliveries.map(idOf));
    const isNew = (delivery: Delivery) => idOf(delivery) === null || !known.has(idOf(delivery));
    let seen = this.deliveries.length;
    await this.trigger(type);
    const end = this.#service.requester.now() + longest;
    for (;;) {
      const next = (await this.wait(seen + 1, end - this.#service.requester.now())).slice(seen);
      seen += next.length;
      const found = next.find(isNew);
      if (found || next.length === 0) return found;
    }
  }
}

const idOf = ({ headers }: Delivery) => headers.get(WEBHOOK_HEADERS.id);

/**
 * Subscribes an endpoint to event types for the time of a function. The endpoint responds 500 to the first `failures`
 * deliveries, and 204 to the others.
 */
export async function subscribed<Result>(
  service: Service,
  { types, failures = 0 }: { readonly types: readonly string[]; readonly failures?: number },
  run: (subscription: Subscription) => Promise<Result>,
): Promise<Result> {
  const { requester } = service;
  const { receiver } = service.settings;
  if (!receiver) throw new NotObservable("needs a receiver of deliveries");
  if (requester.receiving)
    throw new NotObservable("an earlier endpoint could not be disabled, so its deliveries may still arrive");
  const deliveries: Delivery[] = [];
  const stop = receiver.receive(async (request) => {
    const body = await request.text();
    if (deliveries.length === MAX_KEPT) return new Response(null, { status: 413 });
    deliveries.push({ at: requester.now(), headers: request.headers, body, json: parsed(body) as Delivery["json"] });
    return new Response(null, { status: deliveries.length <= failures ? 500 : 204 });
  });
  try {
    const { fields } = await service.acceptedEndpoint();
    requester.receiving = true;
    const { disturbances } = requester;
    const created = await service.create(
      { ...fields, url: receiver.url, format: "raw", events: types },
      undefined,
      true,
    );
    requester.receiving = created.status < 300 || created.status >= 500;
    // An earlier attempt may have created another endpoint, which no response names.
    if (requester.disturbances > disturbances) {
      requester.receiving = true;
      throw new NotObservable("the service answered 5xx when the endpoint was created, so there may be two");
    }
    const endpoint = created.requireSuccess("no endpoint at the URL of the receiver: ").body as Endpoint;
    try {
      return await run(new Subscription(service, endpoint, deliveries));
    } finally {
      requester.receiving = !(await requester.disable(endpoint.id));
    }
  } finally {
    stop();
  }
}
