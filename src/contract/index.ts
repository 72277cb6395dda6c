export type { Contract, SecurityScheme } from "./contract.ts";
export type { Method, Operation, OperationTypes, Schema, Security, SecuritySchemeName } from "./operation.ts";
