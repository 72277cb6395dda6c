import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { versionNames } from "../support/clients.ts";
import { exportedNames, sharedNames } from "../support/exported-names.ts";

/** Names that several files declare because they mean the same: the way to get a mock, a guard, any JSON value. */
const SAME_MEANING = ["createMock", "isApiError", "JsonValue"];

/** Versions declare the same names, so one of them stands for all. `<name>-commonjs.ts` replaces `<name>.ts` in a build. */
const files = globSync(
  ["src/**/*.ts", "mock/**/*.{ts,tsx}", "{cli,terminal}/**/*.ts", `versions/${versionNames.at(-1)}/**/*.ts`],
  { exclude: ["**/*-commonjs.ts"] },
);

/** Whether the files are an operation of a version and its handler in the mock, which have the same name. */
function isOperation(declaring: readonly string[]): boolean {
  const [operation, handler, ...others] = declaring.toSorted().toReversed();
  return (
    others.length === 0 &&
    /^versions\/[^/]+\/resources\//.test(operation ?? "") &&
    /^mock\/operations\//.test(handler ?? "")
  );
}

it("an exported name has one meaning", () => {
  const shared = sharedNames(files.flatMap((file) => exportedNames(file, readFileSync(file, "utf8"))));
  const operations = [...shared].filter(([, declaring]) => isOperation(declaring)).map(([name]) => name);
  expect(operations).not.toEqual([]);
  const others = [...shared.keys()].filter((name) => !operations.includes(name));
  expect(others.sort()).toEqual(SAME_MEANING.toSorted());
});

it.each([
  ["export const a = 1, b = 2;", ["a", "b"]],
  ["export function a(): void;\nexport function a(): void {}", ["a", "a"]],
  ["export type A = 1;\nexport interface B {}\nexport class C {}\nexport abstract class D {}", ["A", "B", "C", "D"]],
  ['export { a } from "./a.ts";\nexport * from "./b.ts";\nconst c = 1;\nexport default c;', []],
])("%j declares %j", (code, names) => {
  expect(exportedNames("a.ts", code).map(({ name }) => name)).toEqual(names);
});

it("a name counts as shared if two files declare it, but not if one file declares overloads", () => {
  const declared = ["a.ts", "a.ts", "b.ts"].map((file) => ({ name: "read", file }));
  expect(sharedNames(declared)).toEqual(new Map([["read", ["a.ts", "b.ts"]]]));
  expect(sharedNames(declared.slice(0, 2))).toEqual(new Map());
});
