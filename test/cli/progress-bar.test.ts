import { expect, test } from "vitest";
import type { IngestionState } from "../../cli/ingest/ingestion.ts";
import { ProgressBar } from "../../cli/ingest/progress-bar.ts";

const state: IngestionState = {
  resumed_after_line: 0,
  inserted: 1_200,
  duplicates: 34,
  rejected: 5,
  rejected_file: "usage.rejected.jsonl",
  without_external_id: 0,
};

const CLEAR = "\r\u001b[K";

/** Returns what a bar writes for the updates. */
function written(isTTY: boolean, fractions: readonly (number | undefined)[]): string[] {
  const texts: string[] = [];
  const bar = new ProgressBar({ isTTY, write: (text: string | Uint8Array) => texts.push(String(text)) > 0 });
  for (const fraction of fractions) bar.update(state, fraction);
  bar.clear();
  return texts;
}

test("shows one line on a terminal, and removes it at the end", () => {
  expect(written(true, [0.5])).toEqual([
    expect.stringMatching(/█{12}░{12} 50% {2}1,234 events, [\d,]+\/s, 5 rejected$/),
    CLEAR,
  ]);
  expect(written(true, [0.5])[0]?.startsWith(CLEAR)).toBe(true);
});

test("shows no part of the file for stdin", () => {
  expect(written(true, [undefined])[0]?.startsWith(`${CLEAR}1,234 events`)).toBe(true);
});

test("is updated ten times a second at most", () => {
  expect(written(true, [0.1, 0.2, 0.3])).toHaveLength(2);
});

test("writes nothing without a terminal", () => {
  expect(written(false, [0.5, undefined])).toEqual([]);
});
