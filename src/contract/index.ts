export { type Contract, frozenContract, type SecurityScheme } from "./contract.ts";
export type {
  Method,
  Operation,
  OperationTypes,
  PagedOperation,
  PagedTypes,
  Paging,
  Security,
  SecuritySchemeName,
} from "./operation.ts";
export type { JsonSchemaConverter, Schema } from "./schema.ts";
export type { StandardIssue, StandardResult, StandardSchema } from "./standard-schema.ts";
export type { ZodSchema } from "./zod-schema.ts";
