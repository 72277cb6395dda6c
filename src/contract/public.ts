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
export type { JsonSchemaConverter, Schema, StandardIssue, StandardResult, StandardSchema } from "./schema.ts";
