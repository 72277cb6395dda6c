export type { JsonSchema, OpenApiDocument, OperationObject, Parameter } from "./document.ts";
export type { Docs, FieldDocs, ModelDocs } from "./schemas.ts";
export { type OpenApiOptions, toOpenApi } from "./to-openapi.ts";
