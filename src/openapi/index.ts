export type { JsonSchema, OpenApiDocument, OperationObject, Parameter, ResponseObject } from "./document.ts";
export { type Docs, type FieldDocs, type ModelDocs, modelsIn } from "./schemas.ts";
export { type OpenApiOptions, toOpenApi } from "./to-openapi.ts";
