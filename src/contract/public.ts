export type * from "./contract.ts";
export type { Schema, StandardIssue, StandardResult, StandardSchema } from "./schema.ts";
