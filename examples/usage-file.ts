import type { BillingClient, Event } from "@billing-service/sdk/2025-01";
import { ingestAll } from "@billing-service/sdk/usage";
import { readJsonLines } from "./json-lines.ts";

/** The result of ingesting a file. */
export interface Ingested {
  /** The number of lines that are not blank. */
  lines: number;
  /** The number of events that were stored. */
  inserted: number;
  /** The number of events that had been stored before. */
  duplicates: number;
  /** The lines that were not stored, by their number from 1. */
  rejected: RejectedLine[];
  /** The number of stored events without `external_id`: when the file is ingested again, these are stored again. */
  withoutExternalId: number;
}

interface RejectedLine {
  readonly line: number;
  readonly reason: string;
}

/**
 * Ingests a file of usage events, one JSON object per line. Every good line is stored, every bad one is reported. It can be
 * run again after a failure if each event has an `external_id`: what was stored then counts as a duplicate.
 */
export async function ingestFile(
  billing: Pick<BillingClient, "events">,
  file: string,
  onProgress: (soFar: Readonly<Ingested>) => void = () => {},
): Promise<Ingested> {
  const source = new EventFile(file);
  const { rejected } = source;
  const report = await ingestAll(billing, source.read(), {
    onRejected: ({ index, problems }) => rejected.push({ line: source.lineOf(index), reason: describe(problems) }),
    onProgress: ({ inserted, duplicates, withoutExternalId }) =>
      onProgress({ lines: source.lines, inserted, duplicates, rejected, withoutExternalId }),
  });
  const { inserted, duplicates, withoutExternalId } = report;
  rejected.sort((a, b) => a.line - b.line);
  return { lines: source.lines, inserted, duplicates, rejected, withoutExternalId };
}

function describe(problems: readonly { readonly path: string; readonly message: string }[]): string {
  return problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ");
}

/** Reads the events of a file, and remembers on which lines they are. */
class EventFile {
  lines = 0;
  readonly rejected: RejectedLine[] = [];
  readonly #file: string;
  /** The events before which lines are missing: blank ones, and those that are not JSON. */
  readonly #gaps: { readonly index: number; readonly line: number }[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  async *read(): AsyncGenerator<Event> {
    let index = 0;
    for await (const read of readJsonLines(this.#file)) {
      this.lines += 1;
      if ("reason" in read) {
        this.rejected.push(read);
        continue;
      }
      if (this.lineOf(index) !== read.line) this.#gaps.push({ index, line: read.line });
      index += 1;
      yield read.value as Event;
    }
  }

  /** Returns the line of an event. */
  lineOf(index: number): number {
    const gap = this.#gaps.findLast((each) => each.index <= index) ?? { index: 0, line: 1 };
    return gap.line + index - gap.index;
  }
}
