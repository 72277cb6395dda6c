/** A value as JSON carries it: without `undefined`, and with a `Date` as a string. */
type Json<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Item)[]
    ? Json<Item>[]
    : Value extends object
      ? { -readonly [Field in keyof Value]: Json<Exclude<Value[Field], undefined>> }
      : Value;

type Equal<One, Other> =
  (<Any>() => Any extends One ? 1 : 2) extends <Any>() => Any extends Other ? 1 : 2 ? true : false;

/** `true` if a schema and its model describe the same JSON. */
export type Same<Schema extends { _zod: { output: unknown } }, Model> = Equal<
  Json<Schema["_zod"]["output"]>,
  Json<Model>
>;
