import { paint } from "../paint.ts";
import type { IngestionState } from "./ingestion.ts";

/** The result of a run; `interrupted` after Ctrl+C. */
export type IngestOutcome = "completed" | "interrupted" | "failed";

/** Formats the result of `billing ingest`. */
export function formatReport(outcome: IngestOutcome, state: IngestionState, input: string): string {
  return [
    ...(state.resumed_after_line > 0 ? [`Continued after line ${count(state.resumed_after_line)}.`] : []),
    counts(state),
    ...(state.rejected_file === null ? [] : [`Rejected lines, with reasons: ${state.rejected_file}`]),
    ...(outcome === "completed" ? repetitionNote(state) : [continuation(outcome, input)]),
    "",
  ].join("\n");
}

function counts({ inserted, duplicates, rejected }: IngestionState): string {
  const stored = `${count(inserted)} inserted`;
  const failed = `${count(rejected)} rejected`;
  return [
    inserted > 0 ? paint("green", stored) : stored,
    `${count(duplicates)} ${duplicates === 1 ? "duplicate" : "duplicates"}`,
    rejected > 0 ? paint("red", failed) : failed,
  ].join(", ");
}

function continuation(outcome: IngestOutcome, input: string): string {
  const what = outcome === "interrupted" ? "Interrupted." : "Not complete.";
  if (input !== "-") return `${what} The progress is saved: run the same command again to continue.`;
  return `${what} A run from stdin cannot be continued. You can send the input again: stored events with an external_id count as duplicates.`;
}

function repetitionNote({ without_external_id }: IngestionState): string[] {
  if (without_external_id === 0) return [];
  const [events, them] = without_external_id === 1 ? ["event", "it"] : ["events", "them"];
  return [
    `${count(without_external_id)} ${events} without an external_id: ingesting the file again stores ${them} again.`,
  ];
}

function count(number: number): string {
  return number.toLocaleString("en");
}
