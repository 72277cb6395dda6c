import { nextVersion } from "../../src/lifecycle/index.ts";

const MONTHS = ["January", "April", "July", "October"];
const QUARTER_NAMES = ["Q1", "Q2", "Q3", "Q4"];
const QUARTERS = ["first", "second", "third", "fourth"];

/** The import path of another package that has a version in it. */
const OTHER_PACKAGE = String.raw`(?<!@(?!billing-service/)[\w-]+/[\w-]+/)`;
const VERSION = new RegExp(String.raw`${OTHER_PACKAGE}\b20\d\d-(?:01|04|07|10)\b(?!-?\d|T)`, "g");
/** A month, and the spaces after it in the cell of a table. */
const MONTH = /\b(January|April|July|October) (20\d\d)\b( +(?=\|))?/g;

/** Moves every version, first month of a quarter, and quarter in a string to the next quarter. Dates do not change. */
export function moveVersions(text: string): string {
  return text
    .replace(VERSION, nextVersion)
    .replace(MONTH, (cell, month, year, spaces) => {
      const moved = following(MONTHS, month, year, " ");
      return spaces ? `${moved} `.padEnd(cell.length) : moved;
    })
    .replace(/\b(Q[1-4]) (20\d\d)\b/g, (_, quarter, year) => following(QUARTER_NAMES, quarter, year, " "))
    .replace(/\b(first|second|third|fourth) quarter of (20\d\d)\b/g, (_, quarter, year) =>
      following(QUARTERS, quarter, year, " quarter of "),
    );
}

function following(names: readonly string[], name: string, year: string, between: string): string {
  const index = names.indexOf(name) + 1;
  return `${names[index % 4]}${between}${Number(year) + Math.floor(index / 4)}`;
}
