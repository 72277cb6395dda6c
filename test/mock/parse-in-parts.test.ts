import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { atOnce } from "../../mock/time/in-slices.ts";
import { parseInParts } from "../../mock/validation/parse-in-parts.ts";

const UNLIMITED = { levels: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY };

/** Parses JSON in parts of a few characters. Also returns the value as JSON, to compare the order of its names. */
function inParts(text: string, charactersAtOnce: number) {
  return outcomeOf(() => {
    const parsed = atOnce(parseInParts(text, UNLIMITED, charactersAtOnce));
    return "value" in parsed ? parsed.value : parsed.exceeded;
  });
}

function outcomeOf(parse: () => unknown) {
  try {
    const value = parse();
    return { value, json: JSON.stringify(value) };
  } catch (error) {
    return { error: (error as Error).name };
  }
}

/** Writes a value as JSON with blanks around every character that has a meaning. */
const spaced = (value: unknown) => JSON.stringify(value, undefined, "\t ");

const values = fc.jsonValue({ maxDepth: 5 });
const sizes = fc.integer({ min: 1, max: 12 });

describe("JSON that is parsed in parts", () => {
  it("has the value that JSON.parse returns", () => {
    fc.assert(
      fc.property(values, sizes, (value, size) => {
        for (const text of [JSON.stringify(value), spaced(value)]) {
          expect(inParts(text, size)).toEqual(outcomeOf(() => JSON.parse(text)));
        }
      }),
      { numRuns: 500 },
    );
  });

  it("is valid exactly if it is valid for JSON.parse", () => {
    const pieces = fc.constantFrom(
      "[",
      "]",
      "{",
      "}",
      ",",
      ":",
      '"a"',
      '"__proto__"',
      "1",
      "-",
      " ",
      '"',
      "\\",
      "null",
      "\u00a0",
    );
    const texts = fc.oneof(
      fc.array(pieces, { maxLength: 25 }).map((list) => list.join("")),
      fc.tuple(values, fc.nat(), fc.nat({ max: 3 }), pieces).map(([value, at, removed, added]) => {
        const text = JSON.stringify(value);
        const place = at % (text.length + 1);
        return text.slice(0, place) + added + text.slice(place + removed);
      }),
    );
    fc.assert(
      fc.property(texts, sizes, (text, size) => {
        expect(inParts(text, size)).toEqual(outcomeOf(() => JSON.parse(text)));
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    '{"a":{"b":1,"c":2},"a":3,"d":{"e":4,"e":5},"e":6}',
    '{"a":1,"__proto__":{"b":2,"c":3},"toString":4,"d":{"__proto__":5,"f":6}}',
    '[[1,2],[3,4],{"a":[5,6],"b":{"c":7,"d":8}} , 9]',
    '{"2":1,"1":2,"b":3,"a":4,"0":5}',
    '{"a":1{"b":2,"c":3}}',
    "[1[2,3,4],5]",
    "[[1,2,3] [4,5,6]]",
    "[[1,2,3],,4]",
    "[[1,2,3],]",
    "[[1,2,3]",
    "[1,2,3]]",
    "[1,2,3} ",
    "1,[2,3,4]",
    "[1,2,3],[4,5,6]",
  ])("has the same value or error: %s", (text) => {
    for (let size = 1; size < text.length; size++)
      expect(inParts(text, size)).toEqual(outcomeOf(() => JSON.parse(text)));
  });
});
