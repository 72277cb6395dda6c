import type { VNode } from "preact";
import type { RecordedRequest } from "../../journal/requests.ts";
import { curlCommand } from "./curl.ts";
import {
  ActionButton,
  Badge,
  Code,
  CopyButton,
  formatDuration,
  Properties,
  statusTone,
  timeOfDay,
} from "./elements.tsx";
import { type Item, ListView } from "./list-view.tsx";
import type { MockData, PanelProps } from "./session.ts";

/** Shows the journal: the requests, newest first, and the details of one. */
export function RequestsPanel({ place, data, session }: PanelProps): VNode {
  const open = data.requests.find(({ id }) => String(id) === place.id);
  return (
    <ListView
      place={place}
      label="Requests, newest first"
      example="post 4xx"
      items={data.requests.map(itemOf).reverse()}
      action={<ActionButton label="Clear" run={() => session.api("DELETE /requests")} />}
      empty={<NoRequests {...data} />}
      detail={open && <RequestDetail key={open.id} request={open} tokens={data.tokens} />}
    />
  );
}

function itemOf(request: RecordedRequest): Item {
  const { id, at, method, operation, status, versionAsked, versionUsed, credential, fault, ignored } = request;
  const cause = causeOf(request);
  const family = status === null ? "failed" : `${String(status)[0]}xx`;
  const words = [status, family, operation, versionAsked, versionUsed, credential, cause, fault && "fault"];
  return {
    id: String(id),
    badge: [statusTone(status), status ?? "none"],
    title: `${method} ${pathOf(request)}`,
    note: cause || (ignored.length > 0 ? ignoredNote(ignored) : <span class="muted">{operation}</span>),
    time: timeOfDay(at),
    words: [...words, ...ignored.map((path) => `ignored ${path}`)].join("\n"),
  };
}

function ignoredNote(ignored: readonly string[]): VNode {
  return <span class="warn">ignored {ignored.join(", ")}</span>;
}

/** Returns why a request failed, in one line; empty for a success. */
function causeOf(request: RecordedRequest): string {
  const { status, responseBody, fault } = request;
  if (status === null) return `${fault} suppressed the response.`;
  if (status < 400) return "";
  if (fault !== null) return `${fault} sent this response.`;
  return EXPLAINED[status]?.(request) ?? reasonIn(responseBody);
}

/** The causes that the body of the response does not tell. */
const EXPLAINED: Readonly<Record<number, (request: RecordedRequest) => string | undefined>> = {
  401: ({ responseBody }) =>
    Object(responseBody).error === "Unauthorized" ? "The request has no access token." : undefined,
  404: ({ versionUsed, versionAsked, operation }) => {
    if (versionUsed === null) return `The version "${versionAsked}" is not supported.`;
    return operation === null ? `No operation of ${versionUsed} has this path.` : undefined;
  },
  429: ({ responseHeaders }) => `The rate limit was exceeded; retry after ${responseHeaders["retry-after"]} s.`,
};

/** Returns the first problem of a 422, or the description of another error. */
function reasonIn(body: unknown): string {
  const { detail, error_description } = Object(body) as ErrorBody;
  if (!Array.isArray(detail)) return String(error_description ?? detail ?? "");
  const [first, ...more] = detail.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`);
  return more.length > 0 ? `${first} (and ${more.length} more)` : String(first);
}

/** The bodies of errors. */
interface ErrorBody {
  readonly detail?: string | readonly { readonly loc: readonly (string | number)[]; readonly msg: string }[];
  readonly error_description?: string;
}

function pathOf({ path, query }: RecordedRequest): string {
  return query === "" ? path : `${path}?${query}`;
}

interface RequestDetailProps {
  readonly request: RecordedRequest;
  readonly tokens: MockData["tokens"];
}

function RequestDetail({ request, tokens }: RequestDetailProps): VNode {
  const { at, method, operation, versionAsked, versionUsed, status, duration, ignored, fault } = request;
  const cause = causeOf(request);
  const version = versionUsed ?? "none: the requested version is not supported";
  return (
    <>
      <h2>
        {method} {pathOf(request)}
      </h2>
      <div class="bar">
        <Badge tone={statusTone(status)}>{status ?? "no response"}</Badge>
        <span class="spacer" />
        {!isCutOff(request.body) && <CopyButton text={repeatCommand(request, tokens)} about="as curl" />}
      </div>
      {cause && <p class={`cause break ${statusTone(status)}`}>{cause}</p>}
      <Properties
        of={{
          Operation: operation,
          Version: versionAsked === versionUsed ? version : `${version} (requested: ${versionAsked ?? "none"})`,
          Credential: credentialOf(request),
          Fault: fault,
          Ignored: ignored.join(", "),
          Received: `${timeOfDay(at)}, answered in ${formatDuration(duration)}`,
        }}
      />
      <Code title="Response body" value={request.responseBody} empty={status === null ? "No response." : undefined} />
      <Code title="Request body" value={request.body} />
      <Code title="Request headers" value={request.headers} />
      <Code title="Response headers" value={request.responseHeaders} />
    </>
  );
}

/** The version and the size of the body are checked before the credential. */
function credentialOf({ credential, versionUsed, status }: RecordedRequest): string {
  if (credential !== null) return credential;
  return versionUsed !== null && status !== 413 ? "none, or not valid" : "not checked, because an earlier check failed";
}

/** Whether the journal kept only the length of a body, so that nobody can repeat the request. */
function isCutOff(body: unknown): boolean {
  return typeof body === "string" && /^\(\d+ characters\)$/.test(body);
}

/**
 * Returns a command that repeats a request. The journal keeps no token, so the command has the oldest valid one of the same
 * type, which the server printed when it started.
 */
function repeatCommand(request: RecordedRequest, tokens: MockData["tokens"]): string {
  const { method, credential, body, headers } = request;
  const token = tokens.find(({ type }) => type === credential)?.token;
  const sent = ["service-version", "content-type"].filter((name) => headers[name] !== undefined);
  return curlCommand({
    method,
    url: location.origin + pathOf(request),
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...Object.fromEntries(sent.map((name) => [name, headers[name] as string])),
    },
    body: body === null ? undefined : typeof body === "string" ? body : JSON.stringify(body),
  });
}

function NoRequests({ tokens }: MockData): VNode {
  const token = tokens.find(({ type }) => type === "oat")?.token;
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return (
    <div class="empty">
      <h2>No requests yet</h2>
      <p>
        Set the base URL of your app to <code>{location.origin}</code>, and its access token to one of those under
        Tokens. Or send a first request:
      </p>
      <Code title="Command" value={curlCommand({ method: "GET", url: `${location.origin}/v1/products/`, headers })} />
    </div>
  );
}
