import type { VNode } from "preact";
import type { RecordedRequest } from "../../../journal/requests.ts";
import { EmptyState } from "../elements/card.tsx";
import { formatDuration, formatInteger, pluralize } from "../elements/format.ts";
import { ListView } from "../elements/list-view.tsx";
import type { Column } from "../elements/table.tsx";
import { Badge, statusTone, TimeOfDay } from "../elements/text.tsx";
import type { MockData } from "../session/mock-data.ts";
import type { PanelProps } from "../session/session.ts";
import { RequestDetail } from "./request-detail.tsx";

const COLUMNS: readonly Column<RecordedRequest>[] = [
  { class: "col-time", title: "Time", cell: ({ at }) => <TimeOfDay at={at} /> },
  { class: "col-method", title: "Method", cell: ({ method }) => method },
  { class: "col-path", title: "Path", cell: (request) => <span title={pathOf(request)}>{pathOf(request)}</span> },
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
