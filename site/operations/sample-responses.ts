import { createMock } from "../../mock/index.ts";
import type { VersionSource } from "../../scripts/generate/version-source.ts";
import type { Schema } from "../../src/contract/index.ts";
import { bodyOf, modelsIn, type OperationDocs, type SampleRequest } from "./operation-docs.ts";
import { SAMPLE_ID } from "./sample-of.ts";

/** A response from the mock. */
export interface SampleResponse {
  readonly status: number;
  /** When the service responds like this. */
  readonly when: string;
  /** The error code in the body. */
  readonly code: string | undefined;
  /** The name of the model that describes the body. */
  readonly model: string | undefined;
  readonly body: unknown;
}

/** A request that differs from the sample. */
interface Attempt extends Partial<Omit<SampleRequest, "method">> {
  readonly when: string;
  /** The value of `Authorization`. Defaults to a token with a scope of the operation. */
  readonly authorization?: string;
  readonly version?: string;
}

const UNKNOWN_ID = "b1f0c1de-3c55-4a4e-9d0e-0c9f6f4c1a11";

/**
 * Returns a response for each status and form of body that an operation declares, the successful one first. The bodies are
 * the mock's, and match the contract.
 *
 * @throws Error if no request receives a declared status.
 */
export async function sampleResponses(
  docs: OperationDocs,
  version: string,
  models: VersionSource["models"],
): Promise<readonly SampleResponse[]> {
  const { id, response, failures } = docs.operation;
  const schemas = new Map<number, Schema>([
    [response.status, response.body],
    ...Object.entries<Schema>({ ...failures }).map(([status, schema]) => [Number(status), schema] as const),
  ]);
  const found = new Map<string, SampleResponse>();
  for (const attempt of attemptsOf(docs)) {
    const sample = await send(docs, version, attempt);
    const form = `${sample.status} ${Object.keys(sample.body as object).join()} ${sample.code}`;
    if (!schemas.has(sample.status) || found.has(form)) continue;
    await requireValid(sample, schemas.get(sample.status) as Schema, id);
    const names = modelsIn(bodyOf(docs.described, sample.status));
    found.set(form, { ...sample, model: await modelOf(sample.body, names, models) });
  }
  const samples = [...found.values()];
  const missing = [...schemas.keys()].filter((status) => !samples.some((sample) => sample.status === status));
  if (missing.length > 0)
    throw new Error(
      `${id}: no request in site/operations/sample-responses.ts receives a ${missing.join(" or ")}. Add one.`,
    );
  return samples.sort((one, other) => one.status - other.status);
}

/** Lists requests that may receive different statuses. */
function attemptsOf({ operation, request: { path, body } }: OperationDocs): readonly Attempt[] {
  const { scopes } = operation.security;
  return [
    { when: "The operation succeeded." },
    { when: "The request has no access token.", authorization: "" },
    {
      when: "The access token is unknown, expired or revoked, or of a kind that the operation rejects.",
      authorization: "Bearer unknown",
    },
    {
      when: `The access token lacks the scope ${scopes.map((scope) => `\`${scope}\``).join(" or ")}.`,
      authorization: "none",
    },
    { when: "No record has this id.", path: path.replace(SAMPLE_ID, UNKNOWN_ID) },
    { when: "The service does not support the version, or the path is unknown.", version: "2020-01" },
    { when: "A field is missing or invalid. `detail` lists every such field.", body: withoutField(body) },
    { when: "A parameter is invalid. `detail` lists every such parameter.", path: path.replace(SAMPLE_ID, "acme") },
    ...["limit=0", "sub_type=team"].map((query) => ({
      when: "A parameter is invalid. `detail` lists every such parameter.",
      query,
    })),
    { when: "No OAuth client has this `client_id`.", query: "client_id=unknown" },
    { when: "A scope does not exist.", query: "scope=unknown" },
  ];
}

/** Removes the first field of the innermost first object. */
function withoutField(body: unknown): unknown {
  if (Array.isArray(body)) return [withoutField(body[0]), ...body.slice(1)];
  if (typeof body !== "object" || body === null) return body;
  const [[name, value] = ["", undefined], ...others] = Object.entries(body);
  const isList = Array.isArray(value) && typeof value[0] === "object";
  return Object.fromEntries(isList ? [[name, withoutField(value)], ...others] : others);
}

async function send(
  { operation, request: sample }: OperationDocs,
  version: string,
  attempt: Attempt,
): Promise<Omit<SampleResponse, "model">> {
  const mock = createMock({ seed: 1, now: `${version}-15T12:00:00Z` });
  mock.webhookEndpoints.create({ id: SAMPLE_ID, url: "https://shop.example/webhooks", events: ["order.paid"] });
  mock.products.create({ name: "Pro" });
  const scopes = attempt.authorization === "none" ? [] : operation.security.scopes;
  const token = mock.issueToken({ scopes: [...scopes] as never[] });
  const authorization =
    attempt.authorization === undefined || attempt.authorization === "none" ? `Bearer ${token}` : attempt.authorization;
  const { method, path, query, body } = { ...sample, ...attempt };
  const response = await mock.fetch(`${mock.baseUrls[0]}${path}${query === "" ? "" : `?${query}`}`, {
    method,
    headers: {
      "Service-Version": attempt.version ?? version,
      ...(authorization === "" ? {} : { Authorization: authorization }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const received = (await response.json()) as { readonly error?: string };
  return { status: response.status, when: attempt.when, code: received.error, body: received };
}

/** Returns the first of several models that a body matches. */
async function modelOf(
  body: unknown,
  names: readonly string[],
  models: VersionSource["models"],
): Promise<string | undefined> {
  for (const name of names) {
    const { issues } = (await models[name]?.["~standard"].validate(body)) ?? { issues: [] };
    if (!issues) return name;
  }
  return undefined;
}

async function requireValid(
  { status, body }: Omit<SampleResponse, "model">,
  schema: Schema,
  id: string,
): Promise<void> {
  const { issues } = await schema["~standard"].validate(body);
  if (issues) throw new Error(`${id}: the body for ${status} does not match the contract: ${issues[0]?.message}`);
}
