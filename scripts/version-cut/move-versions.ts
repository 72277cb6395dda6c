import { nextVersion } from "../../src/lifecycle/index.ts";

const MONTHS = ["January", "April", "July", "October"];
const QUARTER_NAMES = ["Q1", "Q2", "Q3", "Q4"];
const QUARTERS = ["first", "second", "third", "fourth"];

/** Moves every version, first month of a quarter, and quarter in a string to the next quarter. Dates do not change. */
export function moveVersions(text: string): string {
  return text
    .replace(/\b20\d\d-(?:01|04|07|10)\b(?!-?\d|T)/g, nextVersion)
    .replace(/\b(January|April|July|October) (20\d\d)\b/g, (_, month, year) => following(MONTHS, month, year, " "))
    .replace(/\b(Q[1-4]) (20\d\d)\b/g, (_, quarter, year) => following(QUARTER_NAMES, quarter, year, " "))
    .replace(/\b(first|second|third|fourth) quarter of (20\d\d)\b/g, (_, quarter, year) =>
      following(QUARTERS, quarter, year, " quarter of "),
    );
}

function following(names: readonly string[], name: string, year: string, between: string): string {
  const index = names.indexOf(name) + 1;
  return `${names[index % 4]}${between}${Number(year) + Math.floor(index / 4)}`;
}
