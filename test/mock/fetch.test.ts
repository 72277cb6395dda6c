import { expect, it } from "vitest";
import { createMock } from "../../mock/index.ts";

const PATH = "/v1/products/";

function setUp() {
  const mock = createMock();
  const url = mock.baseUrls[0] + PATH;
  const headers = { authorization: `Bearer ${mock.issueToken()}` };
  const redirect = (status: number) => mock.fault({ status, headers: { location: `${PATH}?page=2` }, times: 1 });
  return { mock, url, headers, redirect };
}

it("a response has the URL and the status text that one of fetch has", async () => {
  const { mock, url, headers } = setUp();
  const response = await mock.fetch(`${url}?page=1`, { headers });
  expect([response.url, response.statusText, response.redirected]).toEqual([`${url}?page=1`, "OK", false]);
  expect((await mock.fetch(url)).statusText).toBe("Unauthorized");
});

it("follows redirects as fetch does, with the credentials of the request", async () => {
  const { mock, url, headers, redirect } = setUp();
  redirect(302);
  const response = await mock.fetch(url, { headers });
  expect([response.status, response.url, response.redirected]).toEqual([200, `${url}?page=2`, true]);
  redirect(303);
  await mock.fetch(url, { method: "POST", headers, body: "{}" });
  expect(mock.requests.last()).toMatchObject({ method: "GET", query: "page=2", body: null });
  redirect(302);
  expect((await mock.fetch(url, { headers, redirect: "manual" })).status).toBe(302);
});

it("rejects a redirect that fetch would not follow", async () => {
  const { mock, url, headers, redirect } = setUp();
  redirect(302);
  await expect(mock.fetch(url, { headers, redirect: "error" })).rejects.toThrow("fetch failed");
  mock.fault({ status: 308, headers: { location: url } });
  await expect(mock.fetch(url, { headers })).rejects.toMatchObject({ cause: { message: "redirect count exceeded" } });
});
