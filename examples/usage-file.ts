import type { BillingClient, Event, IngestEventsError } from "@billing-service/sdk/2025-01";
import { readJsonLines } from "./json-lines.ts";

/** The results of ingesting a file. */
export interface Ingested {
  /** Number of lines that are not blank. */
  lines: number;
  /** Number of stored events. */
  inserted: number;
  /** Number of events that were already stored. */
  duplicates: number;
  /** Lines that were not stored, by their number from 1. */
  rejected: { readonly line: number; readonly reason: string }[];
  /** Number of stored events without an `external_id`. Ingesting the file again stores them again. */
  withoutExternalId: number;
}

interface Line {
  readonly line: number;
  readonly event: Event;
}

/** The maximum number of events in a request, and of bytes in total. */
const BATCH = { events: 500, bytes: 1_000_000 };
/** The maximum number of concurrent requests. */
const REQUESTS = 4;

/**
 * Ingests a file of usage events with one JSON object per line. Valid lines are stored, invalid lines are reported. If
 * every event has an `external_id`, you can run it again after a failure: events that are already stored are duplicates.
 */
export async function ingestFile(
  billing: Pick<BillingClient, "events">,
  file: string,
  onProgress: (soFar: Readonly<Ingested>) => void = () => {},
): Promise<Ingested> {
  const ingested: Ingested = { lines: 0, inserted: 0, duplicates: 0, rejected: [], withoutExternalId: 0 };
  const batches = readBatches(file, ingested);
  const work = async () => {
    for await (const batch of batches) {
      await store(billing, batch, ingested);
      onProgress(ingested);
    }
  };
  await Promise.all(Array.from({ length: REQUESTS }, work));
  ingested.rejected.sort((a, b) => a.line - b.line);
  return ingested;
}

/** Stores a batch. The service rejects the whole batch if a line is invalid, so the other lines are sent again. */
async function store(
  billing: Pick<BillingClient, "events">,
  batch: readonly Line[],
  ingested: Ingested,
): Promise<void> {
  const { ok, data, error } = await billing.events.ingest(batch.map(({ event }) => event)).safe();
  if (ok) {
    ingested.inserted += data.inserted;
    ingested.duplicates += data.duplicates;
    ingested.withoutExternalId += batch.filter(({ event }) => event.external_id === undefined).length;
    return;
  }
  const reasons = reasonsOf(error, batch.length);
  for (const [index, reason] of reasons) ingested.rejected.push({ line: batch[index]?.line ?? 0, reason });
  const rest = batch.filter((_, index) => !reasons.has(index));
  if (rest.length > 0) await store(billing, rest, ingested);
}

/** Returns the reasons for rejected events by their index in the batch. Throws errors that no event caused. */
function reasonsOf(error: IngestEventsError, size: number): Map<number, string> {
  const reasons = new Map<number, string>();
  if (error.name === "ApiError" && error.status === 422) {
    for (const { loc, msg } of error.body?.detail ?? []) {
      const [, , index, ...field] = loc;
      if (typeof index !== "number") continue;
      const reason = field.length > 0 ? `${field.join(".")}: ${msg}` : msg;
      reasons.set(index, reasons.has(index) ? `${reasons.get(index)}; ${reason}` : reason);
    }
  }
  if (error.name === "ApiError" && error.status === 413 && size === 1)
    reasons.set(0, "exceeds the maximum request size");
  if (reasons.size === 0) throw error;
  return reasons;
}

/** Reads a file in batches. Rejects lines that are not JSON; the service validates the events. */
async function* readBatches(file: string, ingested: Ingested): AsyncGenerator<readonly Line[]> {
  let batch: Line[] = [];
  let bytes = 0;
  for await (const read of readJsonLines(file)) {
    ingested.lines += 1;
    if ("reason" in read) {
      ingested.rejected.push(read);
      continue;
    }
    if (batch.length === BATCH.events || (batch.length > 0 && bytes + read.bytes > BATCH.bytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push({ line: read.line, event: read.value as Event });
    bytes += read.bytes;
  }
  if (batch.length > 0) yield batch;
}
