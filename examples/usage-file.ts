import type { BillingClient, Event, IngestEventsError } from "@billing-service/sdk/2025-01";
import { readJsonLines } from "./json-lines.ts";

/** What became of a file. */
export interface Ingested {
  /** How many lines hold something; blank ones do not count. */
  lines: number;
  /** How many events were stored. */
  inserted: number;
  /** How many events had been stored before. */
  duplicates: number;
  /** Every line that was not stored, by its number from 1. */
  rejected: { readonly line: number; readonly reason: string }[];
  /** How many of the stored events have no `external_id`: when the file is ingested again, these are stored again. */
  withoutExternalId: number;
}

interface Line {
  readonly line: number;
  readonly event: Event;
}

/** One request carries at most so many events, of so many bytes together. */
const BATCH = { events: 500, bytes: 1_000_000 };
/** So many requests are under way at a time. */
const REQUESTS = 4;

/**
 * Ingests a file of usage events, one JSON object a line. Every good line is stored, every bad one is reported. It can
 * be run again after a failure, as long as each event has an `external_id`: what was stored then counts as a duplicate.
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

/** The service stores a batch as a whole or not at all: lines that it rejects are taken out, and the rest is sent again. */
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

/** Why events of a batch were rejected, by their place in it. A failure that is not theirs ends the run. */
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
  if (error.name === "ApiError" && error.status === 413 && size === 1) reasons.set(0, "larger than a request may be");
  if (reasons.size === 0) throw error;
  return reasons;
}

/** Reads a file in batches. What is not JSON is rejected here; what else an event may not be is for the service to say. */
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
