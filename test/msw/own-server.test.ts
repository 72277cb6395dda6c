import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterEach, describe, expect, it } from "vitest";
import { createMock } from "../../mock/node.ts";

const server = setupServer(http.get("https://shop.example/", () => HttpResponse.text("open")));
const bypass: object = { onUnhandledRequest: "bypass", onUnhandledFrame: "bypass" };

const shop = async () => (await fetch("https://shop.example/")).text();
const service = async ({ baseUrls }: ReturnType<typeof createMock>) =>
  (await fetch(`${baseUrls[0]}/v1/products/`)).status;

describe("mock.listen, while an MSW server of the test intercepts requests", () => {
  const mock = createMock();
  afterEach(() => {
    mock.close();
    server.close();
  });

  it("throws an error that says how to combine them", async () => {
    server.listen(bypass);
    mock.customers.create();
    expect(() => mock.listen()).toThrow("pass the mock's handlers to that server: `setupServer(...mock.handlers)`");
    expect(await shop()).toBe("open");
    mock.reset();
    expect(mock.customers.size).toBe(0);
    server.use(...mock.handlers);
    expect([await shop(), await service(mock)]).toEqual(["open", 401]);
  });
});
