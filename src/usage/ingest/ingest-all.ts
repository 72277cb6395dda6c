import { describeType } from "../../errors/describe-value.ts";
import { InvalidInputError } from "../../errors/index.ts";
import type { UsageClient, UsageEvent } from "../event/index.ts";
import { checkClient } from "../options/check-options.ts";
import { IngestRun } from "./ingest-run.ts";
import type { IngestAllOptions, IngestReport } from "./options.ts";
import { readIngestSettings } from "./settings.ts";

/**
 * Sends every event of an iterable, for example the rows of a file, in batches. Reads ahead at most one batch per request,
 * so that the source may be of any length. Rejected events are in the report; they do not end the run.
 *
 * Failed requests are retried. If the run fails, it can be repeated as a whole when the events have an `external_id`: those
 * that were stored count as duplicates. An event without one gets a random one, and a second run stores it again;
 * `withoutExternalId` of the report counts these events.
 *
 * @param client A client of any version. Its retries are replaced by those of this function.
 * @example
 * ```ts
 * const report = await ingestAll(billing, readEvents(), { onProgress: ({ settled }) => console.log(settled) });
 * ```
 * @throws `InvalidInputError` when an argument or an option is invalid.
 * @throws `AbortedError` or `TimeoutError` when `signal` aborts.
 * @throws The error that prevents sending until somebody changes something, for example an `ApiError` with status
 * 401; the last error after `retryFor`; and an error of the source.
 */
export async function ingestAll<Event extends UsageEvent>(
  client: UsageClient<Event>,
  events: Iterable<Event> | AsyncIterable<Event>,
  options: IngestAllOptions<Event> = {},
): Promise<IngestReport<Event>> {
  checkClient(client, "ingestAll");
  const settings = readIngestSettings(options as IngestAllOptions);
  const run = new IngestRun(client as UsageClient, checkSource(events), settings);
  return (await run.run()) as IngestReport<Event>;
}

function checkSource<Source>(source: Source): Source {
  const isObject = typeof source === "object" && source !== null;
  if (isObject && (Symbol.iterator in source || Symbol.asyncIterator in source)) return source;
  const problem = `must be an iterable or async iterable of events; received ${describeType(source)}`;
  throw new InvalidInputError("events", problem, { caller: "ingestAll" });
}
