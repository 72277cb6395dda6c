import { expectTypeOf, test } from "vitest";
import { type ApiError, type ApiErrorName, isApiError as isAnyApiError } from "../../src/errors/index.ts";
import * as deprecated from "../../versions/2024-10/index.ts";
import * as current from "../../versions/2025-01/index.ts";
import * as next from "../../versions/2025-04/index.ts";

const caught: unknown = undefined;

/** The error bodies of all operations of a client, by status. */
type Declared<Client extends { webhooks: object; events: object; oauth2: object; products: object }, Status> = {
  [Area in "webhooks" | "events" | "oauth2" | "products"]: BodiesOf<Client[Area], Status>;
}["webhooks" | "events" | "oauth2" | "products"];

type BodiesOf<Area, Status> = {
  [Name in keyof Area]: Area[Name] extends (...input: never[]) => { safe(): Promise<infer Outcome> }
    ? Outcome extends { ok: false; error: infer Failure }
      ? Failure extends { name: "ApiError"; status: infer Of; body: infer Body }
        ? Of extends Status
          ? Exclude<Body, undefined>
          : never
        : never
      : never
    : never;
}[keyof Area];

test("a caught error narrows by its status to the body that its version declares", () => {
  if (current.isApiError(caught, 422)) {
    expectTypeOf(caught).toEqualTypeOf<ApiError<422, current.HTTPValidationError, ApiErrorName>>();
    expectTypeOf(caught.body?.detail?.[0]?.loc).toEqualTypeOf<(string | number)[] | undefined>();
  }
  if (next.isApiError(caught, 403)) expectTypeOf(caught.body).toEqualTypeOf<next.InsufficientScope | undefined>();
  if (deprecated.isApiError(caught, 503)) expectTypeOf(caught.body).toEqualTypeOf<undefined>();
  if (current.isApiError(caught)) expectTypeOf(caught).toEqualTypeOf<ApiError<number, unknown, ApiErrorName>>();
});

test("an error without a version narrows only by its status", () => {
  if (isAnyApiError(caught, 422)) expectTypeOf(caught).toEqualTypeOf<ApiError<422, unknown, ApiErrorName>>();
  type Any = ApiError<number, unknown, ApiErrorName>;
  expectTypeOf([caught].filter(isAnyApiError)).toEqualTypeOf<Any[]>();
  expectTypeOf([caught].filter(current.isApiError)).toEqualTypeOf<Any[]>();
});

test("the error bodies of a version are those that its operations declare", () => {
  expectTypeOf<Declared<deprecated.BillingClient, 401>>().toEqualTypeOf<deprecated.ErrorBodies[401]>();
  expectTypeOf<Declared<current.BillingClient, 400>>().toEqualTypeOf<current.ErrorBodies[400]>();
  expectTypeOf<Declared<current.BillingClient, 401>>().toEqualTypeOf<current.ErrorBodies[401]>();
  expectTypeOf<Declared<current.BillingClient, 403>>().toEqualTypeOf<current.ErrorBodies[403]>();
  expectTypeOf<Declared<current.BillingClient, 404>>().toEqualTypeOf<current.ErrorBodies[404]>();
  expectTypeOf<Declared<current.BillingClient, 422>>().toEqualTypeOf<current.ErrorBodies[422]>();
  expectTypeOf<Declared<next.BillingClient, 404>>().toEqualTypeOf<next.ErrorBodies[404]>();
  expectTypeOf<Declared<next.BillingClient, 422>>().toEqualTypeOf<next.ErrorBodies[422]>();
});
