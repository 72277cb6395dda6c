import {
  type JsonSchema,
  modelsIn,
  type OpenApiDocument,
  type OperationObject,
  type Parameter,
} from "../openapi/index.ts";
import type { Difference } from "./difference.ts";

/** A part of a contract, as a schema. */
interface Part extends Pick<Difference, "area" | "subject"> {
  readonly kind: "operation" | "status" | "model" | "event type" | "scope" | "kind of credential";
  readonly schema: JsonSchema;
  readonly operations?: readonly string[];
  /** The key of the part that it belongs to. */
  readonly owner?: string;
  /** Whether programs send its values, receive them, or both. */
  readonly isSent?: boolean;
  readonly isReceived?: boolean;
}

/** What a contract says about the values at one place of a part. The alternatives of a union are one place. */
export interface Place {
  readonly part: Part;
  /** The path from the part, for example `.pagination.max_page` or `.items[].name`. */
  readonly path: string;
  /** The key of the place that it is in. */
  readonly parent: string | undefined;
  /** Whether a field must be present; undefined for a place that is not a field, such as the items of an array. */
  readonly required: boolean | undefined;
  /** The types, and the names of models. Empty if every type is allowed. */
  readonly types: readonly string[];
  /** The only values, as JSON. Empty if the schema does not list them. */
  readonly values: readonly string[];
  /** The other keywords that limit the values, for example `maxLength`. */
  readonly limits: Readonly<Record<string, string>>;
}

const PROSE = ["description", "title", "examples"];

/** Keywords that do not limit values, or that {@link placesOf} reads. */
const OTHERS = "$ref type anyOf oneOf enum const properties required items propertyNames".split(" ").concat(PROSE);

/**
 * Lists the places of one of two compared documents, by a key that is the same in both. A model that both have is a part, so
 * references to it are not followed.
 */
export function placesOf(document: OpenApiDocument, both: readonly OpenApiDocument[]): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  const models = document.components.schemas;
  const walk = (given: JsonSchema, at: Omit<Place, "types" | "values" | "limits">, followed: readonly string[]) => {
    const name = nameOf(given["$ref"]);
    const isPart = name === "" || followed.includes(name) || both.every(({ components }) => name in components.schemas);
    const union = (given["anyOf"] ?? given["oneOf"] ?? []) as JsonSchema[];
    const alternatives = isPart ? union : [models[name] ?? {}];
    const isMerged = !overlap(alternatives);
    for (const each of alternatives) walk(isMerged ? each : { type: each["type"] }, at, [...followed, name]);
    const key = keyOf(at.part) + at.path;
    const { types = [], values = [], limits } = places.get(key) ?? {};
    const type = isPart && name !== "" ? name : (given["type"] ?? []);
    const own = "const" in given ? [given["const"]] : ((given["enum"] ?? []) as unknown[]);
    const keywords = Object.entries(given)
      .filter(
        ([keyword, value]) => !OTHERS.includes(keyword) && (keyword !== "additionalProperties" || value === false),
      )
      .map(([keyword, value]) => [keyword, typeof value === "string" ? value : JSON.stringify(value)]);
    if (!isMerged) keywords.push(["anyOf" in given ? "anyOf" : "oneOf", union.map(withoutProse).sort().join(" or ")]);
    places.set(key, {
      ...at,
      types: [...new Set([...types, ...([type].flat() as string[])])],
      values: [...new Set([...values, ...own.map((value) => JSON.stringify(value))])],
      limits: { ...limits, ...Object.fromEntries(keywords) },
    });
    const fields = Object.entries(given["properties"] ?? {}).map(([field, schema]) => [`.${field}`, schema] as const);
    const others = { "[]": given["items"], "[*]": given["additionalProperties"], "{name}": given["propertyNames"] };
    const required = (given["required"] ?? []) as readonly string[];
    for (const [step, schema] of [...fields, ...Object.entries(others)]) {
      const isRequired = step.startsWith(".") ? required.includes(step.slice(1)) : undefined;
      const place = { part: at.part, path: at.path + step, parent: key, required: isRequired };
      if (typeof schema === "object") walk(schema as JsonSchema, place, followed);
    }
  };
  for (const part of [...partsOf(document), ...modelsOf(document, both)])
    walk(part.schema, { part, path: "", parent: part.owner, required: undefined }, []);
  return places;
}

/** Returns the key of a part, which begins the keys of its places. */
export function keyOf({ kind, subject }: Pick<Part, "kind" | "subject">): string {
  return `${kind} ${subject}`;
}

/** Returns the name that a reference leads to; empty without a reference. */
export function nameOf(reference: unknown): string {
  return typeof reference === "string" ? reference.slice(reference.lastIndexOf("/") + 1) : "";
}

/** Returns whether two alternatives are strings, or of another simple type, so that one place cannot hold what each of them says. */
function overlap(alternatives: readonly JsonSchema[]): boolean {
  const types = alternatives.flatMap(({ type }) => type ?? []).filter((type) => type !== "object" && type !== "array");
  return new Set(types).size < types.length;
}

function withoutProse(value: object): string {
  return JSON.stringify(value, (key, inner) => (PROSE.includes(key) ? undefined : inner));
}

/** Lists the parts of a document, except its models. Operations with the same id are the same. */
function partsOf({ paths, components, ...others }: OpenApiDocument): Part[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]): Part[] => {
      const { operationId: id, responses } = operation;
      const schema = { route: `${method.toUpperCase()} ${path}`, ...requestOf(operation, components.parameters) };
      const own = { kind: "operation", area: "operation", subject: id, operations: [id] } as const;
      const statuses = Object.entries(responses).map(([status, { content }]): Part => {
        const area = status.startsWith("2") ? "operation" : "error";
        const place = { kind: "status", area, subject: `${id} status ${status}`, owner: keyOf(own) } as const;
        return { ...own, ...place, schema: content["application/json"].schema, isReceived: true };
      });
      return [{ ...own, schema, isSent: true }, ...statuses];
    }),
  );
  const events = Object.entries(others["x-webhook-events"]).map(([subject, data]): Part => {
    const schema = { properties: { data: data === true ? {} : data } };
    return { kind: "event type", area: "webhook event", subject, schema, isReceived: true };
  });
  const scopes = others["x-scopes"].map((subject): Part => ({ kind: "scope", area: "scope", subject, schema: {} }));
  const schemes = Object.entries(components.securitySchemes).map(([subject, scheme]): Part => {
    return { kind: "kind of credential", area: "authentication", subject, schema: { form: withoutProse(scheme) } };
  });
  return [...operations, ...events, ...scopes, ...schemes];
}

/** Returns all that a request has: parameters by their place and name, the body, the credential and the scope. */
function requestOf(operation: OperationObject, shared: OpenApiDocument["components"]["parameters"]): JsonSchema {
  const { parameters, requestBody, security } = operation;
  const own = parameters.map((each): Parameter => {
    if (!("$ref" in each)) return each;
    const { schema, ...parameter } = shared[nameOf(each.$ref)] as Parameter;
    // The value of `Service-Version` is the version itself.
    return { ...parameter, schema: { ...schema, const: "version" } };
  });
  const pairs = security.flatMap((each) => Object.values(each).flat());
  const [credentials, scopes] = [new Set(security.flatMap((each) => Object.keys(each))), new Set(pairs)];
  const alternatives = security.map((each) => Object.entries(each).flat(2).join(" ")).sort();
  const all = pairs.length === credentials.size * scopes.size && security.length === (pairs.length || credentials.size);
  return {
    properties: {
      ...Object.fromEntries(own.map((each) => [`${each.in}.${each.name}`, each.schema])),
      ...(requestBody && { body: requestBody.content["application/json"].schema }),
      credential: { enum: [...credentials] },
      scope: scopes.size > 0 ? { enum: [...scopes] } : {},
    },
    required: [...own.filter((each) => each.required).map((each) => `${each.in}.${each.name}`), "body"],
    combinations: all ? "all" : alternatives.join(" or "),
  };
}

/** Lists the models of a document. One counts where it is used in either document, also through other models. */
function modelsOf({ components }: OpenApiDocument, both: readonly OpenApiDocument[]): Part[] {
  const used = both.flatMap((document) =>
    partsOf(document).map((part) => ({ part, names: modelsIn(part.schema, document.components.schemas) })),
  );
  return Object.entries(components.schemas).map(([subject, schema]) => {
    const uses = used.flatMap(({ part, names }) => (names.has(subject) ? part : []));
    const area = uses.length > 0 && uses.every((use) => use.area === "error") ? "error" : "model";
    const operations = [...new Set(uses.flatMap((use) => use.operations ?? []))];
    const [isSent, isReceived] = [uses.some((use) => use.isSent), uses.some((use) => use.isReceived)];
    return { kind: "model", area, subject, schema, operations, isSent, isReceived };
  });
}
