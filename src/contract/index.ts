export type {
  Method,
  Operation,
  OperationTypes,
  PagedOperation,
  PagedTypes,
  Paging,
  Security,
  SecuritySchemeName,
} from "./contract.ts";
export { type Contract, frozenContract, type SecurityScheme } from "./contract.ts";
export type {
  JsonSchemaConverter,
  Schema,
  StandardIssue,
  StandardResult,
  StandardSchema,
  ZodSchema,
} from "./schema.ts";
