/** What became of an attempt or of a whole delivery. */
export type DeliveryStatus = "pending" | "succeeded" | "failed" | "skipped";

/** An event for one endpoint, with everything that was fixed when it was created. */
export interface EmittedEvent {
  /** The `webhook-id`. */
  readonly id: string;
  readonly endpoint_id: string;
  readonly type: string;
  /** The endpoint's version when the event was created; redeliveries keep it. */
  readonly api_version: string;
  readonly created_at: string;
  /** The body of every delivery of this event. */
  readonly body: string;
  readonly status: DeliveryStatus;
}

/** One attempt to deliver an event. */
export interface Delivery {
  readonly id: string;
  readonly event_id: string;
  readonly endpoint_id: string;
  readonly type: string;
  readonly url: string;
  /** Counts from 1 for each event; a redelivery goes on counting. */
  readonly attempt: number;
  readonly at: string;
  readonly status: "succeeded" | "failed";
  /** The headers that were sent, the signature among them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The receiver's status; null when it gave none. */
  readonly response_status: number | null;
  /** The beginning of the receiver's body; null when it gave none. */
  readonly response_body: string | null;
  /** Why the attempt failed, where no status says it; null otherwise. */
  readonly error: string | null;
  /** In milliseconds. */
  readonly duration: number;
}

/** Receives deliveries in the process: what a server's request handler would be. */
export type WebhookHandler = (request: Request) => Response | Promise<Response>;

/** The webhooks that the mock sends. */
export interface MockWebhooks {
  /**
   * Creates one event for each enabled endpoint of the organization that lists the type, and begins to deliver them.
   *
   * @throws TypeError when no supported version has that type, or the organization does not exist.
   */
  emit(type: string, data: unknown, options?: { readonly organization?: string | { readonly id: string } }): readonly EmittedEvent[];
  /** The events that were created, oldest first. */
  readonly events: readonly EmittedEvent[];
  /** The attempts that were made, oldest first. */
  readonly deliveries: readonly Delivery[];
  /** Delivers an event once more: the same payload and version, a new timestamp and signature. */
  redeliver(eventId: string): void;
  /** Hands the deliveries to a URL to a function, where no server runs; returns a function that ends it. */
  receive(url: string, handler: WebhookHandler): () => void;
  /** Waits until everything that is due has been delivered; retries that are due later are not waited for. */
  idle(): Promise<void>;
}
