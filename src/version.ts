// The types that the files of every version are written with.
export type { Send } from "./client/client.ts";
export type { Call, CallOptions, PagedCall } from "./client/index.ts";
export type { Operation, PagedOperation, Schema, ZodSchema } from "./contract/index.ts";
export type { OperationError } from "./errors/index.ts";

/** A value as JSON carries it: without `undefined`, and with a `Date` as a string. */
export type Json<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Item)[]
    ? Json<Item>[]
    : Value extends object
      ? { -readonly [Field in keyof Value]: Json<Exclude<Value[Field], undefined>> }
      : Value;

/** `true` if both types are the same, otherwise `false`. */
export type Equal<One, Other> =
  (<Any>() => Any extends One ? 1 : 2) extends <Any>() => Any extends Other ? 1 : 2 ? true : false;
