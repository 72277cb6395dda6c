import { expectTypeOf, test } from "vitest";
import * as current from "#current";
import * as deprecated from "#deprecated";
import * as next from "#next";
import type { Call } from "../../src/client/index.ts";
import { type ApiError, isApiError as isAnyApiError } from "../../src/errors/index.ts";

const caught: unknown = undefined;

/** An interface as the compiler compares it with a mapped type. */
type Flat<Type> = { [Name in keyof Type]: Type[Name] };

type Areas = "webhooks" | "events" | "oauth2" | "products";

/** The error bodies of all operations of a client, by status. */
type Declared<Client extends Record<Areas, object>> = {
  [Failure in FailuresOf<Client[Areas]> as Failure["status"]]: Exclude<Failure["body"], undefined>;
};

/** The declared failures of the operations of one resource. */
type FailuresOf<Area> = Area extends object
  ? {
      [Name in keyof Area]: Area[Name] extends (...input: never[]) => Call<unknown, infer Failure>
        ? Declaring<Failure>
        : never;
    }[keyof Area]
  : never;
type Declaring<Failure> = Failure extends { name: "ApiError"; status: infer Status extends number; body: infer Body }
  ? [Body] extends [undefined]
    ? never
    : { status: Status; body: Body }
  : never;

test("a caught error narrows by its status to the body that its version declares", () => {
  if (current.isApiError(caught, 422)) {
    expectTypeOf(caught).toEqualTypeOf<ApiError<422, current.HTTPValidationError>>();
    expectTypeOf(caught.body?.detail?.[0]?.loc).toEqualTypeOf<(string | number)[] | undefined>();
  }
  if (next.isApiError(caught, 403)) expectTypeOf(caught.body).toEqualTypeOf<next.InsufficientScope | undefined>();
  if (deprecated.isApiError(caught, 503)) expectTypeOf(caught.body).toEqualTypeOf<undefined>();
  if (current.isApiError(caught)) expectTypeOf(caught).toEqualTypeOf<ApiError<number, unknown>>();
});

test("an error without a version narrows only by its status", () => {
  if (isAnyApiError(caught, 422)) expectTypeOf(caught).toEqualTypeOf<ApiError<422, unknown>>();
  type Any = ApiError<number, unknown>;
  expectTypeOf([caught].filter(isAnyApiError)).toEqualTypeOf<Any[]>();
  expectTypeOf([caught].filter(current.isApiError)).toEqualTypeOf<Any[]>();
});

test("the error bodies of Next, which may change, are those that its operations declare", () => {
  expectTypeOf<Declared<next.BillingClient>>().toEqualTypeOf<Flat<next.ErrorBodies>>();
});

test("the code of a 404 can be read, whichever body it has", () => {
  if (current.isApiError(caught, 404)) expectTypeOf(caught.body?.error).toEqualTypeOf<"ResourceNotFound" | undefined>();
});
