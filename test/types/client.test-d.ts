import { expectTypeOf, test } from "vitest";
import type { BillingClient, OperationError, Product, ProductList, ScopedFailures } from "#current";
import type { Call, CallResponse, PagedCall, Result } from "../../src/client/index.ts";
import type { BillingError, InvalidInputError, RateLimitError, VersionMismatchError } from "../../src/errors/index.ts";
import { type Gone, type Thing, tinyClient } from "../client/tiny-contract.ts";

const client = tinyClient();

test("a call is a promise of its data, and has its response", () => {
  const call = client.read("t1");
  expectTypeOf(call).toExtend<Promise<Thing>>();
  expectTypeOf<Awaited<typeof call>>().toEqualTypeOf<Thing>();
  expectTypeOf(call.withResponse()).toEqualTypeOf<Promise<CallResponse<Thing>>>();
  expectTypeOf(call.then(({ size }) => size)).toEqualTypeOf<Promise<number>>();
});

test("safe narrows by ok, and its error by name and status to the declared body", async () => {
  const result = await client.read("t1").safe();
  if (result.ok) {
    expectTypeOf(result.data).toEqualTypeOf<Thing>();
    expectTypeOf(result.error).toEqualTypeOf<undefined>();
    return;
  }
  const { error } = result;
  if (error.name === "ApiError" && error.status === 404) {
    expectTypeOf(error.body).toEqualTypeOf<Gone | undefined>();
  }
  // A proxy may respond with any status, such as 520.
  if (error.name === "ApiError" && error.status === 520) expectTypeOf(error.body).toEqualTypeOf<undefined>();
  if (error.name === "RateLimitError") expectTypeOf(error).toEqualTypeOf<RateLimitError>();
  if (error.name === "InvalidInputError") expectTypeOf(error).toEqualTypeOf<InvalidInputError>();
  if (error.name === "VersionMismatchError") expectTypeOf(error).toEqualTypeOf<VersionMismatchError>();
});

test("optional options accept undefined, except the token of a call", () => {
  tinyClient({ accessToken: process.env["BILLING_TOKEN"] });
  const signal = undefined as AbortSignal | undefined;
  void client.read("t1", { signal, timeout: undefined, maxRetries: undefined, headers: undefined });
  void client.request("GET", "/v1/x", { query: undefined, idempotent: undefined });
  // @ts-expect-error An undefined token is not allowed, because it would silently become the client's.
  void client.read("t1", { accessToken: undefined });
});

test("client.request returns unknown", () => {
  expectTypeOf(client.request("GET", "/v1/x")).toEqualTypeOf<Call<unknown>>();
  expectTypeOf(client.request("GET", "/v1/x").safe()).toEqualTypeOf<Promise<Result<unknown, BillingError>>>();
  // @ts-expect-error A method that the service does not use.
  void client.request("TRACE", "/v1/x");
});

test("a list is a promise of a page and an iterable of items", async () => {
  const call = (undefined as unknown as BillingClient).products.list;
  expectTypeOf<ReturnType<typeof call>>().toEqualTypeOf<
    PagedCall<ProductList, Product, OperationError<ScopedFailures>>
  >();
  expectTypeOf<Awaited<ReturnType<typeof call>>>().toEqualTypeOf<ProductList>();
  const items = undefined as unknown as PagedCall<Gone, Thing>;
  for await (const item of items) expectTypeOf(item).toEqualTypeOf<Thing>();
  for await (const page of items.pages()) expectTypeOf(page).toEqualTypeOf<Gone>();
});

test("sub_type tells the variants of an authorization response apart", async () => {
  const response = await ({} as BillingClient).oauth2.authorize();
  if (response.sub_type === "user") {
    expectTypeOf(response.sub.email).toEqualTypeOf<string>();
    return;
  }
  expectTypeOf(response.sub).toEqualTypeOf<{ [field: string]: unknown } | null>();
  expectTypeOf(response.scope_display_names["events:write"]).toEqualTypeOf<string | undefined>();
});
