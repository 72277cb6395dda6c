export type { Contract, SecurityScheme } from "./contract.ts";
export type {
  Method,
  Operation,
  OperationTypes,
  PagedOperation,
  PagedTypes,
  Paging,
  Schema,
  Security,
  SecuritySchemeName,
} from "./operation.ts";
