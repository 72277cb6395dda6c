import type { JsonSchema, OpenApiDocument, OperationObject, Parameter } from "../openapi/index.ts";
import {
  type CompareSchemas,
  describeSchema,
  hasSameItems,
  missingFrom,
  type SchemaChange,
} from "./compare-schemas.ts";
import type { Difference } from "./difference.ts";

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
  /** Its parameters, by the name that messages use, for example `query parameter page`. */
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly body: JsonSchema | undefined;
  /** The bodies of the responses, by status. */
  readonly responses: Readonly<Record<string, JsonSchema>>;
  readonly security: OperationObject["security"];
}

/** Lists the operations of a document. */
function operationsOf({ paths, components }: OpenApiDocument): ComparedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters, requestBody, responses, security }]) => {
      const own = parameters.map((each) => ("$ref" in each ? sharedParameter(each.$ref, components) : each));
      const bodies = Object.entries(responses).map(([status, { content }]) => [
        status,
        content["application/json"].schema,
      ]);
      return {
        id: operationId,
        route: `${method.toUpperCase()} ${path}`,
        parameters: new Map(own.map((each) => [`${each.in} parameter ${each.name}`, each])),
        body: requestBody?.content["application/json"].schema,
        responses: Object.fromEntries(bodies),
        security,
      };
    }),
  );
}

/** Returns a parameter of all operations, without its value: that of `Service-Version` is the version. */
function sharedParameter(reference: string, { parameters }: OpenApiDocument["components"]): Parameter {
  const parameter = parameters[reference.slice(reference.lastIndexOf("/") + 1)] as Parameter;
  const { const: _version, ...schema } = parameter.schema;
  return { ...parameter, schema };
}

/** Lists every schema that the operations of a document use. */
export function schemasOf(document: OpenApiDocument): (readonly [Use, JsonSchema])[] {
  return operationsOf(document).flatMap(({ id, parameters, body, responses }) => [
    ...[...parameters.values()].map(({ schema }) => [{ part: "request", operation: id }, schema] as const),
    ...(body === undefined ? [] : [[{ part: "request", operation: id }, body] as const]),
    ...Object.entries(responses).map(([status, schema]) => [{ part: partOf(status), operation: id }, schema] as const),
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

/** Compares the operations of two documents. Operations with the same id, or the same method and path, are the same. */
export function compareOperations(
  before: OpenApiDocument,
  after: OpenApiDocument,
  compare: CompareSchemas,
): Difference[] {
  const [old, now] = [operationsOf(before), operationsOf(after)];
  const pairs = old.flatMap((one) => {
    const other = now.find(({ id }) => id === one.id) ?? now.find(({ route }) => route === one.route);
    return other === undefined ? [] : [[one, other] as const];
  });
  const added = now.filter((each) => !pairs.some(([, other]) => other === each));
  const removed = old.filter((each) => !pairs.some(([one]) => one === each));
  return [
    ...added.map(({ id, route }) => difference(id, `new operation (${route})`, false)),
    ...removed.map(({ id, route }) => difference(id, `operation removed (${route})`, true)),
    ...pairs.flatMap(([one, other]) => [
      ...(one.id === other.id ? [] : [difference(other.id, `renamed from ${one.id}`, false)]),
      ...(one.route === other.route ? [] : [difference(other.id, `is ${other.route}; it was ${one.route}`, true)]),
      ...compareParameters(one, other, compare),
      ...compareRequestBodies(one, other, compare),
      ...compareResponses(one, other, compare),
      ...compareSecurity(one, other),
    ]),
  ];
}

/** Creates a difference in an operation. `part` names a part of it, such as `query parameter page`. */
function difference(id: string, message: string, breaking: boolean, part = ""): Difference {
  return { area: "operation", subject: part === "" ? id : `${id} ${part}`, message, breaking, operations: [id] };
}

function compareParameters(before: ComparedOperation, after: ComparedOperation, compare: CompareSchemas): Difference[] {
  const [old, now] = [before.parameters, after.parameters];
  const { id } = after;
  const added = [...now].filter(([name]) => !old.has(name));
  return [
    ...added.map(([name, { required = false, schema }]) => {
      const message = `new ${required ? "required" : "optional"} parameter (${describeSchema(schema)})`;
      return difference(id, message, required, name);
    }),
    ...missingFrom([...now.keys()], [...old.keys()]).map((name) => difference(id, "parameter removed", true, name)),
    ...[...old].flatMap(([name, one]) => {
      const other = now.get(name);
      if (other === undefined) return [];
      const { required } = other;
      const place = { area: "operation", subject: `${id} ${name}` } as const;
      return [
        ...(one.required === required
          ? []
          : [difference(id, `now ${required ? "required" : "optional"}`, required, name)]),
        ...compare(one.schema, other.schema).map((each) =>
          schemaDifference(each, place, [{ part: "request", operation: id }]),
        ),
      ];
    }),
  ];
}

function compareRequestBodies(
  { body: before }: ComparedOperation,
  { id, body }: ComparedOperation,
  compare: CompareSchemas,
): Difference[] {
  if (before === undefined && body === undefined) return [];
  if (before === undefined) return [difference(id, "now requires a request body", true)];
  if (body === undefined) return [difference(id, "no longer has a request body", true)];
  const place = { area: "operation", subject: `${id} request body` } as const;
  return compare(before, body).map((each) => schemaDifference(each, place, [{ part: "request", operation: id }]));
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
    return [{ area, subject, message, breaking: part === "response", operations: [after.id] }];
  });
}

/** Compares the credentials and scopes that an operation accepts. */
function compareSecurity(before: ComparedOperation, after: ComparedOperation): Difference[] {
  const findings = [...compareSchemes(before, after), ...compareScopes(before, after)];
  const alternatives = ({ security }: ComparedOperation) => security.map((each) => JSON.stringify(each));
  if (findings.length === 0 && !hasSameItems(alternatives(before), alternatives(after)))
    findings.push(["accepts different combinations of credentials and scopes", true]);
  const place = { area: "authentication", subject: after.id, operations: [after.id] } as const;
  return findings.map(([message, breaking]) => ({ ...place, message, breaking }));
}

type Finding = readonly [message: string, breaking: boolean];

function compareSchemes(before: ComparedOperation, after: ComparedOperation): Finding[] {
  const schemes = ({ security }: ComparedOperation) => [...new Set(security.flatMap((each) => Object.keys(each)))];
  return compareAccepted("credential", schemes(before), schemes(after));
}

function compareScopes(before: ComparedOperation, after: ComparedOperation): Finding[] {
  const scopes = ({ security }: ComparedOperation) => [
    ...new Set(security.flatMap((each) => Object.values(each).flat())),
  ];
  const [old, now] = [scopes(before), scopes(after)];
  if (old.length === 0 && now.length > 0) return [[`requires the scope ${now.join(" or ")}`, true]];
  if (old.length > 0 && now.length === 0) return [["no longer requires a scope", false]];
  return compareAccepted("scope", old, now);
}

function compareAccepted(kind: string, before: readonly string[], after: readonly string[]): Finding[] {
  return [
    ...missingFrom(before, after).map((each): Finding => [`accepts the ${kind} ${each}`, false]),
    ...missingFrom(after, before).map((each): Finding => [`no longer accepts the ${kind} ${each}`, true]),
  ];
}
