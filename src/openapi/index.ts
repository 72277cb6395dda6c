export type { Docs, FieldDocs, ModelDocs } from "./describe.ts";
export type { JsonSchema, OpenApiDocument, OperationObject, Parameter } from "./document.ts";
export { type OpenApiOptions, toOpenApi } from "./to-openapi.ts";
