export type {
  Contract,
  Method,
  Operation,
  OperationTypes,
  PagedOperation,
  PagedTypes,
  Paging,
  Security,
  SecurityScheme,
  SecuritySchemeName,
} from "./contract.ts";
export type { Schema, StandardIssue, StandardResult, StandardSchema } from "./schema.ts";
