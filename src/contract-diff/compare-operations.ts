import type { JsonSchema, OpenApiDocument, OperationObject, Parameter } from "../openapi/index.ts";
import { type CompareSchemas, describeSchema, hasSameItems, type SchemaChange } from "./compare-schemas.ts";
import { type Difference, difference } from "./difference.ts";

/** One place in which a schema is used. */
export interface Use {
  readonly part: "request" | "response" | "error" | "webhook event";
  /** The id of the operation; undefined for a webhook event. */
  readonly operation?: string;
}

/** One operation of a document, in the form in which it is compared. */
interface ComparedOperation {
  readonly id: string;
  /** Its method and path. */
  readonly route: string;
  /** An object with all that a request has: parameters by their place and name, the body, the credential and the scope. */
  readonly request: JsonSchema;
  /** The bodies of the responses, by status. */
  readonly responses: Readonly<Record<string, JsonSchema>>;
  readonly security: OperationObject["security"];
}

/** Lists the operations of a document. */
function operationsOf({ paths, components }: OpenApiDocument): ComparedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId: id, security, responses } = operation;
      const bodies = Object.entries(responses).map(([status, { content }]) => [
        status,
        content["application/json"].schema,
      ]);
      const request = requestOf(operation, components);
      return { id, route: `${method.toUpperCase()} ${path}`, request, responses: Object.fromEntries(bodies), security };
    }),
  );
}

function requestOf(
  { parameters, requestBody, security }: OperationObject,
  components: OpenApiDocument["components"],
): JsonSchema {
  const own = parameters.map((each) => ("$ref" in each ? sharedParameter(each.$ref, components) : each));
  const properties: Record<string, JsonSchema> = Object.fromEntries(
    own.map((each) => [`${each.in}.${each.name}`, each.schema]),
  );
  const required = own.filter((each) => each.required).map((each) => `${each.in}.${each.name}`);
  if (requestBody) properties["body"] = requestBody.content["application/json"].schema;
  const scopes = security.flatMap((each) => Object.values(each).flat());
  properties["credential"] = { enum: [...new Set(security.flatMap((each) => Object.keys(each)))] };
  properties["scope"] = scopes.length > 0 ? { enum: [...new Set(scopes)] } : {};
  return { type: "object", properties, required: [...required, "body"] };
}

/** Returns a parameter of all operations, without its value: for `Service-Version`, the value is the version. */
function sharedParameter(reference: string, { parameters }: OpenApiDocument["components"]): Parameter {
  const parameter = parameters[reference.slice(reference.lastIndexOf("/") + 1)] as Parameter;
  const { const: _version, ...schema } = parameter.schema;
  return { ...parameter, schema };
}

/** Lists every schema that the operations of a document use. */
export function schemasOf(document: OpenApiDocument): (readonly [Use, JsonSchema])[] {
  return operationsOf(document).flatMap(({ id: operation, request, responses }) => [
    [{ part: "request", operation }, request] as const,
    ...Object.entries(responses).map(([status, schema]) => [{ part: partOf(status), operation }, schema] as const),
  ]);
}

function partOf(status: string): "response" | "error" {
  return status.startsWith("2") ? "response" : "error";
}

/** Converts a change of a schema to a difference. A request breaks if less is accepted, a response if more can arrive. */
export function schemaDifference(
  { path, effect, message }: SchemaChange,
  { area, subject }: Pick<Difference, "area" | "subject">,
  uses: readonly Use[],
): Difference {
  const isReceived = uses.some(({ part }) => part !== "request");
  return {
    area,
    subject: subject + path,
    message: message + (effect === "more values" && isReceived ? "; your program may receive it" : ""),
    breaking: effect === "different" || uses.some(({ part }) => effect === (part === "request" ? "narrower" : "wider")),
    operations: operationsIn(uses),
  };
}

/** Returns the ids of the operations in some uses, in their order. */
export function operationsIn(uses: readonly Use[]): string[] {
  return [...new Set(uses.flatMap(({ operation }) => operation ?? []))];
}

/** Compares the operations of two documents. Operations with the same id are the same. */
export function compareOperations(
  before: OpenApiDocument,
  after: OpenApiDocument,
  compare: CompareSchemas,
): Difference[] {
  const [old, now] = [operationsOf(before), operationsOf(after)];
  const pairs = old.flatMap((one) => {
    const other = now.find(({ id }) => id === one.id);
    return other === undefined ? [] : [[one, other] as const];
  });
  const added = now.filter((each) => !pairs.some(([, other]) => other === each));
  const removed = old.filter((each) => !pairs.some(([one]) => one === each));
  const changed = (id: string, message: string, breaking: boolean) =>
    difference("operation", id, message, breaking, [id]);
  return [
    ...added.map(({ id, route }) => changed(id, `new operation (${route})`, false)),
    ...removed.map(({ id, route }) => changed(id, `operation removed (${route})`, true)),
    ...pairs.flatMap(([one, other]) => [
      ...(one.route === other.route ? [] : [changed(other.id, `is ${other.route}; it was ${one.route}`, true)]),
      ...compareRequests(one, other, compare),
      ...compareResponses(one, other, compare),
    ]),
  ];
}

/** Compares the parameters, bodies, credentials and scopes of an operation. */
function compareRequests(
  before: ComparedOperation,
  { id, request, security }: ComparedOperation,
  compare: CompareSchemas,
): Difference[] {
  const place = { area: "operation", subject: `${id} request` } as const;
  const found = compare(before.request, request).map((each) =>
    schemaDifference(each, place, [{ part: "request", operation: id }]),
  );
  const alternatives = (list: OperationObject["security"]) => list.map((each) => JSON.stringify(each));
  if (found.length > 0 || hasSameItems(alternatives(before.security), alternatives(security))) return found;
  return [difference("operation", id, "accepts different combinations of credentials and scopes", true, [id])];
}

/** Compares the statuses and bodies of the responses of an operation. An unsuccessful response is an error. */
function compareResponses(before: ComparedOperation, after: ComparedOperation, compare: CompareSchemas): Difference[] {
  return Object.keys({ ...before.responses, ...after.responses }).flatMap((status) => {
    const [old, now] = [before.responses[status], after.responses[status]];
    const part = partOf(status);
    const area = part === "error" ? "error" : "operation";
    const subject = `${after.id} status ${status}`;
    if (old !== undefined && now !== undefined) {
      return compare(old, now).map((each) =>
        schemaDifference(each, { area, subject }, [{ part, operation: after.id }]),
      );
    }
    const message = `${old === undefined ? "new status" : "status removed"} (${describeSchema(old ?? now ?? {})})`;
    return [difference(area, subject, message, part === "response", [after.id])];
  });
}
