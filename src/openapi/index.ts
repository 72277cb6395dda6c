export type { Docs, FieldDocs, ModelDocs } from "./describe.ts";
export type { JsonSchema, OpenApiDocument } from "./document.ts";
export { type OpenApiOptions, toOpenApi } from "./to-openapi.ts";
