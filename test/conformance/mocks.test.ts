import { describe, expect, it } from "vitest";
import type { ConformanceReport } from "../../conformance/report.ts";
import { defaultAssumptions } from "../../mock/index.ts";
import { versionNames } from "../support/clients.ts";
import { HIDDEN, observe, observedMock, observedServer } from "./observed-mock.ts";

/** The rules that no request shows. */
const UNSHOWN = /^(ENV-1|EVT-2|SEC-3|LIF-[2-7]|DEL-5|DEL-8|VER-2|CLI-.|UPG-.)$/;

/** The rules of which a request shows only a part. */
const PARTLY = /^(VER-4)$/;

const notHolding = ({ rules }: ConformanceReport) =>
  rules.filter(({ id, outcome }) => outcome !== "holds" && !UNSHOWN.test(id) && !PARTLY.test(id));

describe.each(versionNames)("the default mock in %s", async (version) => {
  const report = await observe(observedMock(), { versions: [version] });

  it.each(report.rules.filter(({ id }) => !UNSHOWN.test(id)))("$id: $title", (rule) => {
    expect(rule).toMatchObject({ outcome: PARTLY.test(rule.id) ? "partly" : "holds" });
  });

  it.each(report.assumptions)("$id: shows $name unless it is hidden", ({ name, outcome, differs, ...row }) => {
    expect(outcome === "not-observable").toBe(HIDDEN.test(name));
    if (outcome === "observed") expect([differs, row.default]).toEqual([false, settingOf(defaultAssumptions, name)]);
  });

  it("has only the mock's defaults", () => {
    expect(report).toMatchObject({ choices: {}, leftEnabled: [], aborted: false, versions: [version] });
  });
});

it("follows every rule over a socket, with deliveries over another", async () => {
  const report = await observe(await observedServer());
  expect(notHolding(report)).toEqual([]);
  expect(report.choices).toEqual({});
});

it("has a row for every setting of the mock", async () => {
  const { assumptions } = await observe(observedMock(), { only: ["G-*"] });
  const isGroup = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
  const names = Object.entries(defaultAssumptions).flatMap(([name, value]) =>
    isGroup(value) ? Object.keys(value).map((field) => `${name}.${field}`) : name,
  );
  expect(assumptions.map(({ name }) => name).sort()).toEqual(names.sort());
});

function settingOf(assumptions: object, name: string): unknown {
  return name.split(".").reduce<unknown>((value, field) => (value as Record<string, unknown>)[field], assumptions);
}
