import { orList } from "../../markdown.ts";
import { parametersIn } from "./fields.ts";
import { type OperationDocs, SAMPLE_ID, sampleMock } from "./operation-docs.ts";

/** A response from the mock. */
export interface SampleResponse {
  readonly status: number;
  /** When the service responds like this. */
  readonly when: string;
  /** The error code in the body. */
  readonly code: string | undefined;
  readonly body: unknown;
}

/** A request that differs from the example's. */
interface Attempt extends Partial<Pick<OperationDocs["request"], "path" | "query" | "body">> {
  readonly when: string;
  /** The token's scopes. Defaults to the operation's scopes. */
  readonly scopes?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

const INVALID_PARAMETER = "A parameter is invalid. `detail` lists every such parameter.";
const UNKNOWN_ID = "b1f0c1de-3c55-4a4e-9d0e-0c9f6f4c1a11";

/**
 * Returns a response for each status and form of body that an operation declares, the successful one first. The bodies are
 * the mock's.
 *
 * @throws Error if no request receives a declared status.
 */
export async function sampleResponses(docs: OperationDocs, version: string): Promise<readonly SampleResponse[]> {
  const { id, response, failures } = docs.operation;
  const found = new Map<string, SampleResponse>();
  const parameters = parametersIn(docs.described, "query").map(({ name }) => name);
  for (const attempt of attemptsOf(docs)) {
    const [parameter] = attempt.query?.split("=") ?? [];
    if (parameter !== undefined && !parameters.includes(parameter)) continue;
    const { status, body } = await send(docs, version, attempt);
    const { error: code } = body as { readonly error?: string };
    const form = `${status} ${Object.keys(body)} ${code}`;
    if (!found.has(form)) found.set(form, { status, when: attempt.when, code, body });
  }
  const statuses = [response.status, ...Object.keys(failures).map(Number)];
  const samples = statuses.flatMap((status) => [...found.values()].filter((sample) => sample.status === status));
  const missing = statuses.filter((status) => !samples.some((sample) => sample.status === status));
  if (missing.length > 0) throw new Error(`sample-responses.ts: no request of ${id} receives a ${missing}.`);
  return samples;
}

/** Lists requests that may receive different statuses. */
function attemptsOf({ operation, request: { path, body } }: OperationDocs): readonly Attempt[] {
  const { scopes } = operation.security;
  return [
    { when: "The operation succeeded." },
    { when: "The request has no access token.", headers: { Authorization: "" } },
    {
      when: "The access token is unknown, expired or revoked, or of a kind that the operation rejects.",
      headers: { Authorization: "Bearer unknown" },
    },
    { when: `The access token lacks the scope ${orList(scopes.map((scope) => `\`${scope}\``))}.`, scopes: [] },
    { when: "No record has this id.", path: path.replace(SAMPLE_ID, UNKNOWN_ID) },
    {
      when: "The service does not support the version, or the path is unknown.",
      headers: { "Service-Version": "2020-01" },
    },
    {
      when: "A field is missing or invalid. It is assumed that `detail` lists at most 100 such fields (G-422-MAX).",
      body: withoutField(body),
    },
    { when: INVALID_PARAMETER, path: path.replace(SAMPLE_ID, "acme") },
    { when: INVALID_PARAMETER, query: "limit=0" },
    { when: INVALID_PARAMETER, query: "sub_type=team" },
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
  { operation, request }: OperationDocs,
  version: string,
  { scopes = operation.security.scopes, headers, ...changes }: Attempt,
): Promise<{ readonly status: number; readonly body: object }> {
  const mock = sampleMock(version);
  const { method, path, query, body } = { ...request, ...changes };
  const response = await mock.fetch(`${mock.baseUrls[0]}${path}?${query}`, {
    method,
    headers: {
      Authorization: `Bearer ${mock.issueToken({ scopes: [...scopes] as never[] })}`,
      "Service-Version": version,
      "Content-Type": "application/json",
      ...headers,
    },
    body: body === null ? null : JSON.stringify(body),
  });
  return { status: response.status, body: JSON.parse((await response.text()) || "{}") };
}
