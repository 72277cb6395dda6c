import { parsed } from "./connection.ts";
import { acceptedEndpoint, create, disable, type Endpoint, type Fields, ownOrganization } from "./fixtures.ts";
import { NotObservable } from "./outcome.ts";
import { type Service, summaryOf } from "./service.ts";

/** A delivery that arrived. */
export interface Delivery {
  /** The arrival time, by the subscription's clock. */
  readonly at: number;
  readonly headers: Headers;
  readonly body: string;
  /** The body as JSON; undefined if it is not. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
}

/** An endpoint of this run, and the deliveries that it has received. */
export interface Subscription {
  readonly endpoint: Endpoint;
  readonly deliveries: readonly Delivery[];
  /** Makes the service send an event of a type. */
  trigger(type: string): Promise<void>;
  /** Makes the service send an event of a type, and waits for its deliveries. */
  emit(type: string, count?: number): Promise<readonly Delivery[]>;
  /** Waits until this many deliveries have arrived, or for as long as a delivery may take. */
  wait(count: number, longest?: number): Promise<readonly Delivery[]>;
  /** Returns the time in milliseconds, including the time that the run waited by its own clock. */
  now(): number;
  /** Waits. Throws if the run must not continue. */
  pause(milliseconds: number): Promise<void>;
  /** Changes the endpoint. */
  update(fields: Fields): Promise<void>;
}

/** The longest time to wait for a delivery, and the pause before looking again, in milliseconds. */
const LONGEST_WAIT = 15_000;
const PAUSE = 250;

/** The time to wait before it is clear that nothing is delivered, in milliseconds. */
const QUIET = 1_500;

/** The longest time to wait for a trigger, in milliseconds. */
const TRIGGER_TIMEOUT = 120_000;

/**
 * Subscribes an endpoint to event types for the time of a function. The endpoint responds 500 to the first `failures`
 * deliveries, and 204 to the others.
 */
export async function subscribed<Result>(
  service: Service,
  { types, failures = 0 }: { readonly types: readonly string[]; readonly failures?: number },
  run: (subscription: Subscription) => Promise<Result>,
): Promise<Result> {
  const { session } = service;
  const { connection } = session;
  const { receiver } = service.settings;
  if (!receiver) throw new NotObservable("needs a receiver of deliveries");
  if (session.receiving.size > 0)
    throw new NotObservable("an earlier endpoint could not be disabled, so its deliveries may still arrive");
  const deliveries: Delivery[] = [];
  let skipped = 0;
  const now = () => performance.now() + skipped;
  const pause = async (milliseconds: number) => {
    const until = now() + milliseconds;
    await connection.settings.sleep(milliseconds);
    skipped += Math.max(0, until - now());
    connection.requireRunning();
  };
  const stop = receiver.receive(async (request) => {
    const body = await request.text();
    deliveries.push({ at: now(), headers: request.headers, body, json: parsed(body) as Delivery["json"] });
    return new Response(null, { status: deliveries.length <= failures ? 500 : 204 });
  });
  try {
    const { fields } = await acceptedEndpoint(service);
    session.receiving.add(receiver.url);
    const created = await create(service, { ...fields, url: receiver.url, format: "raw", events: types });
    if (created.status > 299 && created.status < 500) session.receiving.clear();
    if (created.status > 299) throw new NotObservable(`no endpoint at the URL of the receiver: ${summaryOf(created)}`);
    const endpoint = created.body as Endpoint;
    const wait = async (count: number, longest = LONGEST_WAIT) => {
      for (let waited = 0; deliveries.length < count && waited < longest; waited += PAUSE) {
        await pause(PAUSE);
      }
      return [...deliveries];
    };
    const update = async (changes: Fields) => {
      const answer = await service.send(`PATCH /v1/webhooks/endpoints/${endpoint.id}`, { json: changes });
      if (answer.status > 299) throw new NotObservable(summaryOf(answer));
    };
    const trigger = async (type: string) => {
      const organization = await ownOrganization(service, String(service.tokenFor("POST /v1/webhooks/endpoints")));
      connection.requireRunning();
      try {
        await settled(service, () => service.settings.trigger?.(type, organization));
      } catch (error) {
        if (error instanceof NotObservable) throw error;
        throw new NotObservable(`the trigger failed: ${(error as Error | undefined)?.message ?? error}`);
      }
      connection.requireRunning();
    };
    const emit = async (type: string, count = 1) => {
      const before = deliveries.length;
      await trigger(type);
      return (await wait(before + Math.max(1, count), count === 0 ? QUIET : LONGEST_WAIT)).slice(before);
    };
    try {
      return await run({ endpoint, deliveries, trigger, emit, wait, now, pause, update });
    } finally {
      if (await disable(session, endpoint.id)) session.receiving.clear();
    }
  } finally {
    stop();
  }
}

/** Waits for a trigger until it finishes, times out or the run is aborted. */
async function settled({ settings: { signal } }: Service, trigger: () => unknown): Promise<unknown> {
  const running = trigger();
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<void>((resolve, reject) => {
    const late = new Error(`it did not finish within ${TRIGGER_TIMEOUT / 1000} s`);
    timer = setTimeout(() => reject(late), TRIGGER_TIMEOUT);
    signal?.addEventListener("abort", () => resolve(), { once: true });
  });
  return Promise.race([running, end]).finally(() => clearTimeout(timer));
}
