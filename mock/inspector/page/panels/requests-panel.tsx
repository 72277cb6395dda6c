import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { RecordedRequest } from "../../../journal/requests.ts";
import { Badge, statusTone } from "../elements/badge.tsx";
import { EmptyState } from "../elements/empty-state.tsx";
import { formatDuration, formatInteger, pluralize } from "../elements/format.ts";
import { type Column, Grid } from "../elements/grid.tsx";
import { SplitView } from "../elements/split-view.tsx";
import { TimeOfDay } from "../elements/time-of-day.tsx";
import type { MockData } from "../session/mock-data.ts";
import { useTabState } from "../session/use-tab-state.ts";
import { filterRequests } from "./filter-requests.ts";
import type { PanelProps } from "./panel-props.ts";
import { RequestDetail } from "./request-detail.tsx";

const COLUMNS: readonly Column<RecordedRequest>[] = [
  { name: "time", title: "Time", cell: ({ at }) => <TimeOfDay at={at} /> },
  { name: "method", title: "Method", cell: ({ method }) => method },
  {
    name: "path",
    title: "Path",
    cell: ({ path, query }) => <span title={pathOf(path, query)}>{pathOf(path, query)}</span>,
  },
  { name: "operation", title: "Operation", cell: ({ operation }) => operation ?? <span class="muted">none</span> },
  { name: "version", title: "Version", cell: (request) => <Version {...request} /> },
  { name: "credential", title: "Credential", cell: ({ credential }) => credential ?? <span class="muted">none</span> },
  { name: "status", title: "Status", cell: (request) => <Status {...request} /> },
  { name: "duration", title: "Duration", cell: ({ duration }) => formatDuration(duration) },
];

/** Shows the journal: the requests, newest first, with their details. */
export function RequestsPanel({ data, session }: PanelProps): VNode {
  const [filter, setFilter] = useTabState("requests.filter", "");
  const [open, setOpen] = useTabState<RecordedRequest | undefined>("requests.open", undefined);
  const [focusCount, setFocusCount] = useTabState("requests.focusCount", 0);
  const shown = filterRequests(data.requests, filter).toReversed();
  const show = (request: RecordedRequest, byKeyboard: boolean) => {
    setOpen(request);
    setFocusCount(byKeyboard ? focusCount + 1 : 0);
  };
  if (data.requests.length === 0) return <NoRequests {...data} />;
  const list = (
    <>
      <div class="toolbar">
        <FilterField value={filter} onChange={setFilter} />
        <span class="muted tabular nowrap">{countLabel(shown.length, data, filter)}</span>
        <span class="spacer" />
        <button type="button" onClick={() => session.act((api) => api("DELETE /requests"), "Journal cleared.")}>
          Clear
        </button>
      </div>
      {shown.length === 0 ? (
        <EmptyState title="No matching requests">
          No request contains all of these words. Remove or shorten a word.
        </EmptyState>
      ) : (
        <Grid
          label="Requests, newest first"
          columns={COLUMNS}
          rows={shown}
          keyOf={({ id }) => String(id)}
          open={open && String(open.id)}
          onOpen={show}
        />
      )}
    </>
  );
  return (
    <SplitView
      list={list}
      detail={open && <RequestDetail key={open.id} request={open} />}
      title={open ? `${open.method} ${open.path}` : ""}
      focusCount={focusCount}
      onClose={() => setOpen(undefined)}
    />
  );
}

interface FilterFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Filters the requests. The key `/` focuses the field. */
function FilterField({ value, onChange }: FilterFieldProps): VNode {
  const field = useRef<HTMLInputElement>(null);
  // A layout effect, because the shortcut must work as soon as the field is visible.
  useLayoutEffect(() => {
    const focusField = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener("keydown", focusField);
    return () => removeEventListener("keydown", focusField);
  }, []);
  return (
    <label class="filter">
      <span class="visually-hidden">Filter requests</span>
      <input
        ref={field}
        type="search"
        value={value}
        placeholder="Filter, e.g. post 4xx"
        spellcheck={false}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <kbd>/</kbd>
    </label>
  );
}

function NoRequests({ versions }: MockData): VNode {
  const operations = versions.flatMap((version) => version.operations);
  const path = operations.find(({ id }) => id === "products:list")?.path ?? operations[0]?.path;
  return (
    <EmptyState title="No requests yet" command={`curl ${location.origin}${path}`}>
      Send requests to <code>{location.origin}</code>, or run this command. It sends no token, so the mock answers 401.
    </EmptyState>
  );
}

/** Shows the requested version, and the version that answered if it differs. */
function Version({ versionAsked, versionUsed }: RecordedRequest): VNode {
  if (versionAsked === null)
    return (
      <span>
        {versionUsed ?? "none"} <span class="muted">default</span>
      </span>
    );
  if (versionAsked === versionUsed) return <span>{versionUsed}</span>;
  return (
    <span>
      {versionAsked} <span class="muted">→ {versionUsed ?? "none"}</span>
    </span>
  );
}

function Status({ status, fault, ignored }: RecordedRequest): VNode {
  return (
    <>
      <Badge tone={statusTone(status)}>{status ?? "failed"}</Badge>
      {fault !== null && <Badge tone="accent">fault</Badge>}
      {ignored.length > 0 && <Badge tone="warn">ignored fields</Badge>}
    </>
  );
}

function pathOf(path: string, query: string): string {
  return query === "" ? path : `${path}?${query}`;
}

function countLabel(shown: number, { requests, requestCount }: MockData, filter: string): string {
  if (filter.trim() !== "") return `${formatInteger(shown)} of ${formatInteger(requests.length)}`;
  if (requestCount > requests.length) return `newest ${formatInteger(shown)} of ${formatInteger(requestCount)}`;
  return pluralize(shown, "request");
}
