/** A body that is more expensive to process than its size suggests. */
export interface WorstBody {
  /** The path of an ingest by default. */
  readonly path?: string;
  /** Creates the body. */
  readonly body: () => string;
  /** The status of the response. */
  readonly status: number;
}

/** The path of an ingest. */
export const INGEST = "/v1/events/ingest";
const ENDPOINTS = "/v1/webhooks/endpoints";
const MEBIBYTE = 1024 * 1024;

/** Returns `count` items with commas between them. */
function list(count: number, item: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => item(index)).join(",");
}

function events(count: number, item: (index: number) => string): string {
  return `{"events":[${list(count, item)}]}`;
}

/** Returns an event with more fields. */
function eventWith(fields: string): string {
  return `{"name":"a","external_customer_id":"b",${fields}}`;
}

function withMetadata(metadata: string): string {
  return events(1, () => eventWith(`"metadata":${metadata}`));
}

/** Returns a short name that is unique per index. */
const key = (index: number) => `"k${index.toString(36)}"`;
const manyFields = () => list(199_000, (i) => `${key(i)}:1`);

/** Bodies that need the most time or memory, within the limits (10 MiB, 10,000 items in a list, 200 levels) or not. */
export const worstBodies: Readonly<Record<string, WorstBody>> = {
  "3,400,000 empty events": { body: () => events(3_400_000, () => "{}"), status: 422 },
  "10,000 bad events": { body: () => events(10_000, (i) => `{"name":${i}}`), status: 422 },
  "10,000 events": { body: () => events(10_000, (i) => eventWith(`"metadata":{${key(i)}:${i}}`)), status: 200 },
  "10,000 good event types": {
    path: ENDPOINTS,
    body: () => `{"url":"https://a.example","format":"raw","events":[${list(10_000, () => '"order.paid"')}]}`,
    status: 201,
  },
  "199,000 names in metadata": { body: () => withMetadata(`{${manyFields()}}`), status: 200 },
  "132,000 objects in metadata, each with another name": {
    body: () => withMetadata(`{"a":[${list(132_000, (i) => `{${key(i)}:1}`)}]}`),
    status: 200,
  },
  "199,000 unknown fields": { body: () => `{"events":[],${manyFields()}}`, status: 200 },
  "a name of 10 MB": {
    body: () => events(1, () => `{"name":"${"x".repeat(10 * MEBIBYTE - 100)}","external_customer_id":"b"}`),
    status: 200,
  },
  "5,000,000 levels": { body: () => "[".repeat(5_000_000) + "]".repeat(5_000_000), status: 422 },
};
