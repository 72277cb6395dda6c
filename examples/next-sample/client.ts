/** A client for the invented version. It has the operation that changed; `request` calls the others. */
import {
  type EventCreateCustomer as CustomerEvent,
  type EventMetadata,
  type EventCreateExternalCustomer as ExternalCustomerEvent,
  type IngestResponse,
  contract as released,
  type ScopedFailures,
} from "@billing-service/sdk/2025-04";
import {
  type BaseClient,
  bindVersion,
  type Call,
  type CallOptions,
  type ClientOptions,
  type Operation,
  type OperationError,
} from "@billing-service/sdk/contract";
import { nextSample } from "./contract.ts";

/** The fields that the example adds to an event. */
interface Added {
  /** The system that reports the event. */
  source: string;
  /** Free-form data, named `metadata` in Next. */
  properties?: EventMetadata | undefined;
}

export interface EventCreateCustomer extends Omit<CustomerEvent, "metadata">, Added {}
export interface EventCreateExternalCustomer extends Omit<ExternalCustomerEvent, "metadata">, Added {}

/** A usage event in the invented version. */
export type Event = EventCreateCustomer | EventCreateExternalCustomer;

type IngestEvents = Operation<{ body: { events: readonly Event[] }; data: IngestResponse; failures: ScopedFailures }>;

export const contract = nextSample(released);

const ingestEvents = contract.operations.find(({ id }) => id === "events:ingest") as IngestEvents;

/** A client for the invented version. */
export interface NextClient extends BaseClient {
  readonly version: string;
  readonly events: {
    /** Stores a batch of usage events. */
    ingest(events: readonly Event[], options?: CallOptions): Call<IngestResponse, OperationError<ScopedFailures>>;
  };
}

/** Creates a client for the invented version. */
export function createClient(options: ClientOptions): NextClient {
  const { send, base } = bindVersion(contract.version, options);
  const ingest: NextClient["events"]["ingest"] = (events, callOptions) =>
    send(ingestEvents, { body: { events } }, callOptions);
  return { ...base, version: contract.version, events: { ingest } };
}
