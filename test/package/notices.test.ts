import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { bundledNames } from "../support/bundled-names.ts";

const notices = readFileSync("THIRD-PARTY-NOTICES.md", "utf8");

it("the notices contain the license of every bundled package", () => {
  expect(bundledNames()).toEqual(expect.arrayContaining(["hono", "ky", "zod"]));
  expect([...notices.matchAll(/^## (.+)$/gm)].map(([, name]) => name)).toEqual(bundledNames());
  expect(notices.match(/Permission is hereby granted/g)).toHaveLength(bundledNames().length);
});
