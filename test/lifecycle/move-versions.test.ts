import { expect, it } from "vitest";
import { moveVersions } from "../../scripts/version-cut/move-versions.ts";

it.each([
  ["@billing-service/sdk/2024-10", "@billing-service/sdk/2025-01"],
  ["@billing-service/sdk/2025-01/webhooks", "@billing-service/sdk/2025-04/webhooks"],
  ["from 2025-01 to 2025-04, then 2025-07.", "from 2025-04 to 2025-07, then 2025-10."],
  ["Current from October 2024", "Current from January 2025"],
  ["| July 2025    |\n| October 2025 |", "| October 2025 |\n| January 2026 |"],
  ["| July 2025 |", "| October 2025 |"],
  ["as of Q4 2025", "as of Q1 2026"],
  ["as it stood in the fourth quarter of 2025", "as it stood in the first quarter of 2026"],
])("%s becomes %s in the next quarter", (text, expected) => {
  expect(moveVersions(text)).toBe(expected);
});

it.each([
  "@polar-sh/sdk/2025-04",
  "2025-01-02T03:04:05Z",
  "2025-02",
  "1999-01",
  "the first week of January",
  "+1-2025-0100",
])("%s does not change", (text) => {
  expect(moveVersions(text)).toBe(text);
});
