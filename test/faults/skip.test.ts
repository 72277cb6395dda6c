import { expect, it } from "vitest";
import { createMock } from "../../mock/index.ts";

const ROUTES = { products: "/v1/products/", authorize: "/v1/oauth2/authorize" } as const;

function setUp() {
  const mock = createMock({ seed: 1 });
  const headers = { authorization: `Bearer ${mock.issueToken()}` };
  const get = async (route: keyof typeof ROUTES = "products") =>
    (await mock.fetch(mock.baseUrls[0] + ROUTES[route], { headers })).status;
  const statuses = async (count: number) => {
    const found = [];
    for (let call = 0; call < count; call++) found.push(await get());
    return found;
  };
  return { mock, get, statuses };
}

it("a fault with skip and times fails only the requests after the skipped ones, and counts both", async () => {
  const { mock, statuses } = setUp();
  expect(mock.fault({ status: 503, skip: 2, times: 2 })).toMatchObject({ skipped: 0, struck: 0 });
  expect(await statuses(3)).toEqual([200, 200, 503]);
  expect(mock.faults.list()).toMatchObject([{ skipped: 2, struck: 1 }]);
  expect(await statuses(3)).toEqual([503, 200, 200]);
  expect(mock.faults.list()).toEqual([]);
});

it("a fault counts only the requests to its operation", async () => {
  const { mock, get } = setUp();
  mock.fault({ operation: "products:list", status: 503, skip: 1 });
  expect(await get("authorize")).toBe(200);
  expect(await get("products")).toBe(200);
  expect(await get("authorize")).toBe(200);
  expect(await get("products")).toBe(503);
});

it("two faults count the same requests: one fails the second, one the fourth", async () => {
  const { mock, statuses } = setUp();
  mock.fault({ status: 502, skip: 1, times: 1 });
  mock.fault({ status: 504, skip: 3, times: 1 });
  expect(await statuses(5)).toEqual([200, 502, 200, 504, 200]);
});

it.each([
  ["skips", [{ status: 500, probability: 0.5, skip: 3 }]],
  [
    "leaves to another fault",
    [
      { status: 503, times: 3 },
      { status: 500, probability: 0.5 },
    ],
  ],
])("a request that a fault %s draws no random number, so the later ones fail as without it", async (_, faults) => {
  const [one, other] = [setUp(), setUp()];
  one.mock.fault({ status: 500, probability: 0.5 });
  for (const fault of faults) other.mock.fault(fault);
  expect((await other.statuses(23)).slice(3)).toEqual(await one.statuses(20));
});
