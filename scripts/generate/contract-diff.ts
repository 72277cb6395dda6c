import type {
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  Parameter,
  ResponseObject,
} from "../../src/openapi/document.ts";

/** The parts of a contract that a difference can be about, each with its heading. */
const HEADINGS = {
  operation: "Operations",
  status: "Responses",
  model: "Models",
  "event type": "Webhook events",
  scope: "Scopes",
};

/** A part of a contract, as a schema. */
interface Part {
  readonly kind: keyof typeof HEADINGS;
  readonly subject: string;
  readonly schema: JsonSchema;
  /** The key of the part that it belongs to. */
  readonly owner?: string;
  /** Whether programs send its values, receive them, or both. */
  readonly isSent?: boolean;
  readonly isReceived?: boolean;
  /** The ids of the operations that use a model. */
  readonly operations?: readonly string[];
}

/** What a contract says about the values at one place of a part. The alternatives of a union are one place. */
interface Place {
  readonly part: Part;
  /** The path from the part, for example `.pagination.max_page` or `.items[].name`. */
  readonly path: string;
  /** The key of the place that it is in. */
  readonly parent: string | undefined;
  /** Whether a field must be present. */
  readonly required: boolean;
  /** What the schema says, by keyword: the types and names of models as `type`, the only values as `value`. */
  readonly facts: Readonly<Record<string, readonly string[]>>;
}

/** One difference between two contracts. Its `subject` also has the path of a field. */
export interface Difference extends Pick<Part, "kind" | "subject" | "operations"> {
  /** Says what changed, without the subject. */
  readonly message: string;
  /** Whether a program that is correct with the old contract can fail with the new one. */
  readonly breaking: boolean;
}

type Change = readonly [message: string, breaking: boolean | undefined];

/** Compares the contracts in two OpenAPI documents. Wording, examples and order do not count. */
export function diffContracts(before: OpenApiDocument, after: OpenApiDocument): Difference[] {
  const [old, now] = [placesOf(before), placesOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((key) => {
    const { part, path, parent } = (now.get(key) ?? old.get(key)) as Place;
    // What is in a place that is new or gone is not a difference of its own.
    if (parent !== undefined && !(old.has(parent) && now.has(parent))) return [];
    const subject = part.subject + path;
    return compare(old.get(key), now.get(key)).map(([message, breaking = false]) => ({
      ...part,
      subject,
      message,
      breaking,
    }));
  });
}

function compare(before: Place | undefined, after: Place | undefined): Change[] {
  if (!before) return after ? [added(after)] : [];
  const { part, path, required, facts } = after ?? before;
  if (!after) return [[`${path === "" ? part.kind : "field"} removed`, true]];
  const { isSent, isReceived } = part;
  const other: Change = required ? ["now required", isSent] : ["now optional", isReceived];
  // A request breaks if less is accepted, a response if more can arrive.
  const keywords = Object.keys({ ...before.facts, ...facts });
  const changes = keywords.flatMap((keyword): Change[] => {
    const [old = [], now = []] = [before.facts[keyword], facts[keyword]];
    const [more, less] = [now.filter((each) => !old.includes(each)), old.filter((each) => !now.includes(each))];
    if (more.length + less.length === 0) return [];
    const mayArrive = isReceived && keyword === "value" && old.length > 0;
    const note = mayArrive ? "; your program may receive it" : "";
    const isBreaking = old.length === 0 ? isSent : isReceived && !mayArrive;
    if (less.length === 0) return [[`new ${keyword} ${list(more)}${note}`, isBreaking]];
    if (more.length === 0) return [[`no longer ${keyword} ${list(less)}`, now.length === 0 ? isReceived : isSent]];
    return [[`${keyword} ${list(more)} instead of ${list(less)}`, true]];
  });
  // The limits of another type are not differences of their own.
  const replaced = changes.filter(([message]) => message.startsWith("type "));
  return [...(before.required === required ? [] : [other]), ...(replaced.length > 0 ? replaced : changes)];
}

function added({ part: { kind, isSent }, path, required, facts }: Place): Change {
  const note = list(facts["route"] ?? facts["value"] ?? facts["type"] ?? ["any value"]);
  if (path === "") return [`new ${kind}${kind === "operation" ? ` (${note})` : ""}`, false];
  return [`new ${required ? "required" : "optional"} field (${note})`, required && isSent];
}

/** The number of values that a message lists. */
const LISTED_VALUES = 5;

function list(values: readonly string[]): string {
  const more = values.length - LISTED_VALUES;
  return values.slice(0, LISTED_VALUES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Lists the places of a document, by a key that is the same in both documents. References to models are not followed. */
function placesOf(document: OpenApiDocument): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  const walk = (schema: JsonSchema, at: Omit<Place, "facts">) => {
    const key = keyOf(at.part) + at.path;
    const facts: Record<string, readonly string[]> = { ...places.get(key)?.facts };
    places.set(key, { ...at, facts });
    const { properties = {}, required = [], anyOf, oneOf, items, propertyNames, ...keywords } = schema;
    const union = (anyOf ?? oneOf ?? []) as JsonSchema[];
    // One place cannot hold what two strings, or two objects, say.
    const isMerged = new Set(union.map(({ type, $ref }) => $ref ?? type)).size === union.length;
    const alternatives = isMerged ? {} : { [anyOf ? "anyOf" : "oneOf"]: union.map(withoutProse) };
    for (const [keyword, value] of Object.entries({ ...keywords, ...alternatives })) {
      const name = { $ref: "type", const: "value", enum: "value" }[keyword] ?? keyword;
      const write = (each: unknown) =>
        name === "value" || typeof each !== "string" ? JSON.stringify(each) : nameOf(each);
      const isChild = keyword === "additionalProperties" && value !== false;
      if (!PROSE.includes(keyword) && !isChild)
        facts[name] = [...new Set([...(facts[name] ?? []), ...[value].flat().map(write)])];
    }
    if (isMerged) for (const each of union) walk(each, at);
    const fields = Object.entries(properties as object).map(([field, each]) => [`.${field}`, each] as const);
    const others = { "[]": items, "[*]": schema["additionalProperties"], "{name}": propertyNames };
    for (const [step, each] of [...fields, ...Object.entries(others)]) {
      const isRequired = !step.startsWith(".") || (required as readonly string[]).includes(step.slice(1));
      const place = { part: at.part, path: at.path + step, parent: key, required: isRequired };
      if (typeof each === "object") walk(each as JsonSchema, place);
    }
  };
  for (const part of partsOf(document)) walk(part.schema, { part, path: "", parent: part.owner, required: true });
  return places;
}

const PROSE = ["description", "title", "examples"];

function withoutProse(value: object): string {
  return JSON.stringify(value, (key, inner) => (PROSE.includes(key) && typeof inner === "string" ? undefined : inner));
}

function keyOf({ kind, subject }: Pick<Part, "kind" | "subject">): string {
  return `${kind} ${subject}`;
}

/** Returns the name that a reference leads to, or the text if it is not a reference. */
function nameOf(text: string): string {
  return text.replace(/^#\/components\/\w+\//, "");
}

/** Lists the parts of a document. Operations with the same id are the same. */
function partsOf({ paths, components, ...others }: OpenApiDocument): Part[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]): Part[] => {
      const { operationId: subject, responses } = operation;
      const schema = { route: `${method.toUpperCase()} ${path}`, ...requestOf(operation, components.parameters) };
      const own = { kind: "operation", subject, schema, isSent: true } as const;
      const declared = Object.entries(responses).filter(
        (each): each is [string, ResponseObject] => !("$ref" in each[1]),
      );
      const statuses = declared.map(([status, { content }]): Part => {
        const place = { kind: "status", subject: `${subject} status ${status}`, owner: keyOf(own) } as const;
        return { ...place, schema: content?.["application/json"].schema ?? {}, isReceived: true };
      });
      return [own, ...statuses];
    }),
  );
  const events = Object.entries(others.webhooks).map(([subject, { post }]): Part => {
    const { properties } = post.requestBody?.content["application/json"].schema ?? {};
    const { data } = properties as { readonly data: JsonSchema };
    return { kind: "event type", subject, schema: { properties: { data } }, isReceived: true };
  });
  const scopes = others["x-scopes"].map((subject): Part => ({ kind: "scope", subject, schema: {} }));
  const users = [...operations, ...events].map((part) => ({ part, names: modelsIn(part.schema, components.schemas) }));
  const models = Object.entries(components.schemas).map(([subject, schema]): Part => {
    const parts = users.flatMap(({ part, names }) => (names.has(subject) ? part : []));
    const ids = parts.flatMap((each) => (each.kind === "event type" ? [] : (each.subject.split(" ")[0] ?? [])));
    const [isSent, isReceived] = [parts.some((each) => each.isSent), parts.some((each) => each.isReceived)];
    return { kind: "model", subject, schema, operations: [...new Set(ids)], isSent, isReceived };
  });
  return [...operations, ...events, ...scopes, ...models];
}

/** Returns the names of the models that a value refers to, directly or through other models. */
function modelsIn(
  value: unknown,
  models: Readonly<Record<string, JsonSchema>>,
  found: Set<string> = new Set(),
): ReadonlySet<string> {
  if (typeof value !== "object" || value === null) return found;
  const name = "$ref" in value ? String(value.$ref).replace(/^.*\//, "") : "";
  if (name in models && !found.has(name)) modelsIn(models[name], models, found.add(name));
  for (const inner of Object.values(value)) modelsIn(inner, models, found);
  return found;
}

/** Returns all that a request has: parameters by their place and name, the body and the credentials. */
function requestOf(operation: OperationObject, shared: OpenApiDocument["components"]["parameters"]): JsonSchema {
  const { parameters, requestBody, security } = operation;
  const own = parameters.map((each): Parameter => {
    if (!("$ref" in each)) return each;
    // The value of `Service-Version` is the version itself.
    return { ...(shared[nameOf(each.$ref)] as Parameter), schema: {} };
  });
  return {
    properties: {
      ...Object.fromEntries(own.map((each) => [`${each.in}.${each.name}`, each.schema])),
      ...(requestBody && { body: requestBody.content["application/json"].schema }),
      credential: { enum: security.map((each) => Object.entries(each).flat(2).join(" ")) },
    },
    required: [...own.filter((each) => each.required).map((each) => `${each.in}.${each.name}`), "body"],
  };
}

/** Formats differences as Markdown: their number, and a list for each kind of part, breaking ones first. */
export function formatMarkdown(differences: readonly Difference[]): string {
  const groups = Object.entries(HEADINGS).flatMap(([kind, heading]) => {
    const own = differences.filter((each) => each.kind === kind);
    const sorted = own.toSorted((one, other) => Number(other.breaking) - Number(one.breaking));
    return own.length === 0 ? [] : [`**${heading}**\n\n${sorted.map(formatItem).join("\n")}\n`];
  });
  const breaking = differences.filter((each) => each.breaking).length;
  return [`${differences.length} in total, ${breaking === 0 ? "none" : breaking} of them breaking.\n`, ...groups].join(
    "\n",
  );
}

function formatItem({ subject, message, breaking, operations = [] }: Difference): string {
  const users = operations.length === 0 ? "" : ` In ${operations.map((each) => `\`${each}\``).join(", ")}.`;
  return `- ${breaking ? "Breaking: " : ""}\`${subject}\`: ${message.replace(/[\\*<[\]|`]/g, "\\$&")}.${users}`;
}
