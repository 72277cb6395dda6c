import type { EventTypeName } from "../generated/names.ts";
import type { ReadonlyCollection } from "../state/collection.ts";
import type { Delivery, EmittedEvent } from "../state/records.ts";

export type { Delivery, EmittedEvent, EventStatus } from "../state/records.ts";

/** Receives deliveries in the process: what a server's request handler would be. */
export type WebhookHandler = (request: Request) => Response | Promise<Response>;

/** Whose webhooks are emitted. */
export interface EmitOptions {
  /** The organization, or its id; the default organization by default. */
  readonly organization?: string | { readonly id: string } | undefined;
}

/**
 * The webhooks that the mock sends. Events and deliveries are part of the mock's state: `reset` and `restore` end
 * whatever is under way, bring back the events and deliveries of the snapshot, and go on with those of its events that
 * were pending, each when it is due by the mock's clock.
 */
export interface MockWebhooks {
  /**
   * Creates one event for each enabled endpoint of the organization that lists the type, and begins to deliver them.
   * Endpoints get theirs side by side, fifty at a time; one endpoint gets the first attempts in the order of the events, one at a time.
   *
   * @param data What the payloads are to say; a version that describes the type takes the fields it knows from it.
   * @throws TypeError when no supported version has that type, when the organization does not exist, or when the data
   * is no JSON or lacks what an endpoint's version describes; then no event is created at all.
   */
  emit(type: EventTypeName, data: unknown, options?: EmitOptions): readonly EmittedEvent[];
  /** The events that were created, oldest first: those that are pending, and the newest thousand. */
  readonly events: ReadonlyCollection<EmittedEvent>;
  /** The attempts that were made, oldest first: the newest thousand. */
  readonly deliveries: ReadonlyCollection<Delivery>;
  /**
   * Delivers an event once more: the same id, payload and version, a new timestamp and signature. If it fails, it is
   * tried again like a first delivery.
   *
   * @throws TypeError when there is no such event, or when its endpoint is disabled or gone.
   */
  redeliver(eventId: string): void;
  /**
   * Hands the deliveries to a URL to a function, where no server runs; returns a function that ends it. A second
   * function for a URL takes the place of the first. `reset` leaves it in place.
   *
   * @throws TypeError when the URL is not absolute.
   */
  receive(url: string, handler: WebhookHandler): () => void;
  /** Waits until everything that is due has been delivered; retries that are due later are not waited for. */
  idle(): Promise<void>;
}
