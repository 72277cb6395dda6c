import type { VNode } from "preact";
import type { RecordedRequest } from "../../../journal/requests.ts";
import { EmptyState } from "../elements/card.tsx";
import { CopyButton, JsonView } from "../elements/code.tsx";
import { formatDuration, formatInteger, pluralize } from "../elements/format.ts";
import { ListView } from "../elements/list-view.tsx";
import type { Column } from "../elements/table.tsx";
import { Badge, DateTime, PropertyList, statusTone, TimeOfDay } from "../elements/text.tsx";
import type { MockData } from "../session/mock-data.ts";
import type { PanelProps } from "../session/session.ts";

const COLUMNS: readonly Column<RecordedRequest>[] = [
  { class: "col-time", title: "Time", cell: ({ at }) => <TimeOfDay at={at} /> },
  { class: "col-method", title: "Method", cell: ({ method }) => method },
  { class: "col-path", title: "Path", cell: (request) => <Path {...request} /> },
  { class: "col-operation", title: "Operation", cell: ({ operation }) => operation ?? none },
  { class: "col-version", title: "Version", cell: (request) => <Version {...request} /> },
  { class: "col-credential", title: "Credential", cell: ({ credential }) => credential ?? none },
  { class: "col-status", title: "Status", cell: (request) => <Status {...request} /> },
  { class: "col-duration", title: "Duration", cell: ({ duration }) => formatDuration(duration) },
];

const none = <span class="muted">none</span>;

/** Shows the journal: the requests, newest first, with their details. */
export function RequestsPanel({ data, session }: PanelProps): VNode {
  if (data.requests.length === 0) return <NoRequests {...data} />;
  return (
    <ListView
      label="Requests, newest first"
      columns={COLUMNS}
      noun="requests"
      rows={data.requests}
      textOf={textOf}
      example="post 4xx"
      count={countLabel(data)}
      current={(request) => request}
      titleOf={({ method, path }) => `${method} ${path}`}
      detailOf={(request) => <RequestDetail key={request.id} request={request} />}
      action={
        <button type="button" onClick={() => session.act((api) => api("DELETE /requests"), "Journal cleared.")}>
          Clear
        </button>
      }
    />
  );
}

function NoRequests({ overview }: MockData): VNode {
  const operations = overview.versions.flatMap((version) => version.operations);
  const path = operations.find(({ id }) => id === "products:list")?.path ?? operations[0]?.path;
  return (
    <EmptyState title="No requests yet" command={`curl ${location.origin}${path}`}>
      Send requests to <code>{location.origin}</code>, or run this command. It sends no token, so the mock answers 401.
    </EmptyState>
  );
}

/** Shows a path, in a narrow column without the part that all operations share. */
function Path(request: RecordedRequest): VNode {
  const path = pathOf(request);
  const [base = ""] = path.match(/^\/v1(?=\/)/) ?? [];
  return (
    <span title={path}>
      <span class="base">{base}</span>
      {path.slice(base.length)}
    </span>
  );
}

/** Shows the requested version, and the version that answered if it differs. */
function Version({ versionAsked, versionUsed }: RecordedRequest): VNode {
  const note = versionAsked === null ? "default" : versionAsked !== versionUsed && `→ ${versionUsed ?? "none"}`;
  return (
    <span>
      {versionAsked ?? versionUsed ?? "none"} {note && <span class="muted">{note}</span>}
    </span>
  );
}

function Status({ status, fault, ignored }: RecordedRequest): VNode {
  return (
    <>
      <Badge tone={statusTone(status)}>{status ?? "failed"}</Badge>
      {fault !== null && <Badge tone="accent">fault</Badge>}
      {ignored.length > 0 && <Badge tone="warn">ignored</Badge>}
    </>
  );
}

function pathOf({ path, query }: RecordedRequest): string {
  return query === "" ? path : `${path}?${query}`;
}

function countLabel({ requests, counts }: MockData): string {
  const kept = formatInteger(requests.length);
  if (counts.requests > requests.length) return `newest ${kept} of ${formatInteger(counts.requests)}`;
  return pluralize(requests.length, "request");
}

/**
 * Returns the text that the filter searches: every column, and also `4xx` for each status from 400 to 499, `failed` for a
 * request without a response, `fault` if one hit it, and `ignored` if it has fields that the service does not know.
 */
function textOf(request: RecordedRequest): string {
  const { method, operation, versionAsked, versionUsed, credential, status, fault, ignored } = request;
  const family = status === null ? "failed" : `${String(status)[0]}xx`;
  const fields = [method, pathOf(request), operation, versionAsked, versionUsed, credential, status, family];
  return [...fields, fault && `fault ${fault}`, ...ignored.map((path) => `ignored ${path}`)].join("\n");
}

/** Shows one request of the journal with its headers, body and response. */
function RequestDetail({ request }: { readonly request: RecordedRequest }): VNode {
  const { at, query, operation, versionAsked, versionUsed, status, duration, fault, ignored } = request;
  return (
    <>
      <div class="detail-actions">
        <Badge tone={statusTone(status)}>{status ?? "no response"}</Badge>
        {fault !== null && <Badge tone="accent">hit by {fault}</Badge>}
        <span class="spacer" />
        <CopyButton text={curlCommand(request, location.origin)} label="Copy as curl" />
      </div>
      <PropertyList
        properties={[
          ["Operation", operation && <code>{operation}</code>],
          ["Query", query && <code>{query}</code>],
          ["Requested version", versionAsked ? <code>{versionAsked}</code> : "none"],
          [
            "Answered version",
            versionUsed ? <code>{versionUsed}</code> : "none: the requested version is not supported",
          ],
          ["Credential", <Credential key="credential" {...request} />],
          ["Received", <DateTime key="at" at={at} />],
          ["Ignored fields", ignored.length > 0 && <code>{ignored.join(", ")}</code>],
          ["Duration", formatDuration(duration)],
        ]}
      />
      <JsonView title="Request body" value={request.body} empty="Empty." />
      <JsonView
        title="Response body"
        value={request.responseBody}
        empty={status === null ? "A fault suppressed the response." : "Empty."}
      />
      <JsonView title="Request headers" value={request.headers} empty="No headers." />
    </>
  );
}

/** The version and the size of the body are checked before the credential. */
function Credential({ credential, versionUsed, status }: RecordedRequest): VNode {
  if (credential !== null) return <code>{credential}</code>;
  const isChecked = versionUsed !== null && status !== 413;
  return <>{isChecked ? "no valid credential" : "not checked, because an earlier check failed"}</>;
}

/**
 * Returns a curl command that repeats a request. It never contains the token: if the request had a valid one, the command
 * reads it from the shell variable `BILLING_TOKEN`.
 */
function curlCommand(request: RecordedRequest, origin: string): string {
  const { method, versionAsked, credential, body } = request;
  const parts = [`curl --globoff -X ${method} ${quoted(origin + pathOf(request))}`];
  if (credential !== null) parts.push('-H "Authorization: Bearer $BILLING_TOKEN"');
  if (versionAsked !== null) parts.push(`-H ${quoted(`Service-Version: ${versionAsked}`)}`);
  const text = typeof body === "string" ? body : JSON.stringify(body);
  if (body !== null) parts.push("-H 'Content-Type: application/json'", `--data-raw ${quoted(text)}`);
  return parts.join(" \\\n  ");
}

/** Quotes a string as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
