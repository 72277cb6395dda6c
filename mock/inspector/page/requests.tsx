import type { VNode } from "preact";
import type { RecordedRequest } from "../../journal/journal.ts";
import { ActionButton, Badge, Code, CopyButton, Properties, statusTone, timeOfDay } from "./elements.tsx";
import { type Item, ListView, type PanelProps } from "./list-view.tsx";
import { call, type MockData } from "./mock-data.ts";

/** Shows the journal: the requests, newest first, and the details of one. */
export function RequestsPanel({ place, data }: PanelProps): VNode {
  const open = data.requests.find(({ id }) => String(id) === place.id);
  return (
    <ListView
      place={place}
      label="Requests, newest first"
      items={data.requests.map(itemOf).reverse()}
      action={<ActionButton label="Clear" run={() => call("DELETE /requests")} />}
      empty={<NoRequests {...data} />}
      detail={open && <RequestDetail key={open.id} request={open} tokens={data.tokens} />}
    />
  );
}

function itemOf(request: RecordedRequest): Item {
  const { id, at, method, operation, status, ignored } = request;
  const detail =
    ignored.length > 0 ? (
      <span class="warn">ignored {ignored.join(", ")}</span>
    ) : (
      <span class="muted">{operation}</span>
    );
  return {
    id: String(id),
    badge: [statusTone(status), status ?? "none"],
    title: `${method} ${pathOf(request)}`,
    note: causeOf(request) || detail,
    time: timeOfDay(at),
  };
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
  const { at, method, operation, versionAsked, versionUsed, status, duration, ignored, fault, credential } = request;
  const cause = causeOf(request);
  return (
    <>
      <h2>
        {method} {pathOf(request)}
      </h2>
      <div class="bar">
        <Badge tone={statusTone(status)}>{status ?? "no response"}</Badge>
        <span class="spacer" />
        <CopyButton text={repeatCommand(request, tokens)} about="as curl" />
      </div>
      {cause && <p class={`cause break ${statusTone(status)}`}>{cause}</p>}
      <Properties
        of={{
          Operation: operation,
          Version: `${versionUsed ?? "none"} (requested: ${versionAsked ?? "none"})`,
          Credential: credential ?? "none accepted",
          Fault: fault,
          Ignored: ignored.join(", "),
          Received: `${timeOfDay(at)}, answered in ${duration.toFixed(1)} ms`,
        }}
      />
      <Code title="Response body" value={request.responseBody} />
      <Code title="Request body" value={request.body} />
      <Code title="Request headers" value={request.headers} />
      <Code title="Response headers" value={request.responseHeaders} />
    </>
  );
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

/** A request for which to write a command. */
interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** Returns a curl command that works when it is pasted into a POSIX shell. */
function curlCommand({ method, url, headers, body }: CurlRequest): string {
  const parts = [`curl --globoff -X ${method} ${quote(url)}`];
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quote(`${name}: ${value}`)}`);
  if (body !== undefined) parts.push(`--data-raw ${quote(body)}`);
  return parts.join(" \\\n  ");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
