import type * as z from "zod/mini";

/**
 * A schema of a contract: a schema of zod 4, from `zod` or `zod/mini`, that validates synchronously. It must not transform a
 * value, except by leaving out fields that the contract does not define.
 */
export interface Schema<Value = unknown> extends StandardSchema<Value> {
  readonly _zod: object;
}

/**
 * A schema of any library that implements [Standard Schema](https://standardschema.dev), for example Zod, Valibot or
 * ArkType.
 */
export interface StandardSchema<Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    /** Checks a value, and returns the output or the issues. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** The result of a check: the output, or the issues. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One problem that a schema found. */
export interface StandardIssue {
  readonly message: string;
  /** The path in the value: keys, or objects with a key. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A schema of the package's own contracts. It does not transform: its input and output have the same type. */
export type ZodSchema<Value = unknown> = z.ZodMiniType<Value, Value>;
