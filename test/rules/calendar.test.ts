import { describe, expect, it, vi } from "vitest";
import { nextVersion } from "../../src/lifecycle/index.ts";
import { openAdapter } from "../support/adapter.ts";
import { contractsWith } from "../support/contracts.ts";
import { AFTER_NEXT, CURRENT, NEXT } from "../support/versions.ts";

const BEFORE = new Date(Date.parse(`${NEXT}-01`) - 60_000);

describe("releases by the calendar", () => {
  it("LIF-1, G-DATES: happen when the clock reaches the first day of a quarter, four in a year", async () => {
    const { mock, send } = await openAdapter({ now: BEFORE, releases: "clock" });
    expect(mock.versions.current).toBe(CURRENT);
    await mock.clock.advance({ minutes: 1 });
    expect((await send("GET /v1/products/", { version: null })).headers.get("service-version")).toBe(NEXT);
    await mock.clock.advance({ days: 365 });
    const expected = [1, 2, 3, 4].reduce((version: string) => nextVersion(version), NEXT);
    expect(mock.versions.current).toBe(expected);
  });

  it("happen without a request or a call, and a reset restores the versions of the checkpoint", async () => {
    let now = BEFORE;
    const { mock } = await openAdapter({ now: () => now, releases: "clock" });
    now = new Date(`${NEXT}-01`);
    expect(mock.versions).toMatchObject({ current: NEXT, next: AFTER_NEXT });
    now = BEFORE;
    mock.reset();
    expect(mock.versions.current).toBe(CURRENT);
  });

  it("do not happen by default, and a time far from the versions is warned about", async () => {
    const warn = vi.fn();
    const { mock } = await openAdapter({ now: BEFORE, warn });
    await mock.clock.advance({ days: 400 });
    expect([mock.versions.current, warn.mock.calls]).toEqual([CURRENT, []]);
    await openAdapter({ now: "2099-01-01", warn });
    expect(warn).toHaveBeenCalledWith(expect.stringContaining("`now` is more than a quarter away"));
  });
});

it("setNext replaces the contract of a running mock's Next, and nothing else", async () => {
  const { mock, send } = await openAdapter();
  const [, current, next] = contractsWith({ "products:list": () => ({ method: "POST" }) });
  mock.setNext(next as never);
  const statuses = [];
  for (const version of [CURRENT, NEXT]) statuses.push((await send("GET /v1/products/", { version })).status);
  expect(statuses).toEqual([200, 405]);
  const [, , moved] = contractsWith({ "products:list": () => ({ path: "/v1/goods/" }) });
  expect(() => mock.setNext(moved as never)).toThrow("setNext: products:list has the path /v1/goods/ in");
  expect(() => mock.setNext(current as never)).toThrow(`setNext: the version must be Next, ${NEXT}, not ${CURRENT}.`);
});
