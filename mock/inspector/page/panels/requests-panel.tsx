import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { RecordedRequest } from "../../../journal/journal.ts";
import type { Data } from "../data.ts";
import { Badge, statusTone } from "../elements/badge.tsx";
import { EmptyState } from "../elements/empty-state.tsx";
import { formatDuration, formatInteger, pluralize } from "../elements/format.ts";
import { type Column, Grid } from "../elements/grid.tsx";
import { SplitView } from "../elements/split-view.tsx";
import { TimeOfDay } from "../elements/time-of-day.tsx";
import { useTabState } from "../session/store.ts";
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

/** The journal: every request, newest first, and what was sent and answered. */
export function RequestsPanel({ data, session }: PanelProps): VNode {
  const [filter, setFilter] = useTabState("requests.filter", "");
  const [open, setOpen] = useTabState<RecordedRequest | undefined>("requests.open", undefined);
  const [entered, setEntered] = useTabState("requests.entered", 0);
  const shown = filterRequests(data.requests, filter).toReversed();
  const show = (request: RecordedRequest, enter: boolean) => {
    setOpen(request);
    setEntered(enter ? entered + 1 : 0);
  };
  if (data.requests.length === 0) return <NoRequests {...data} />;
  const list = (
    <>
      <div class="toolbar">
        <FilterField value={filter} onChange={setFilter} />
        <span class="muted tabular nowrap">{countOf(shown.length, data, filter)}</span>
        <span class="space" />
        <button
          type="button"
          onClick={() => session.act("DELETE", "/requests", undefined, "The journal is empty now.")}
        >
          Clear
        </button>
      </div>
      {shown.length === 0 ? (
        <EmptyState title="Nothing fits">
          No request has all of these words. Try fewer of them, or a part of a word.
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
      entered={entered}
      onClose={() => setOpen(undefined)}
    />
  );
}

interface FilterProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The field that says which requests to show; the key `/` goes there. */
function FilterField({ value, onChange }: FilterProps): VNode {
  const field = useRef<HTMLInputElement>(null);
  // At once, not after the next paint: a key that is pressed as soon as the field is there counts.
  useLayoutEffect(() => {
    const go = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener("keydown", go);
    return () => removeEventListener("keydown", go);
  }, []);
  return (
    <label class="filter">
      <span class="unseen">Filter</span>
      <input
        ref={field}
        type="search"
        value={value}
        placeholder="Filter: post 4xx events:ingest"
        spellcheck={false}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <kbd>/</kbd>
    </label>
  );
}

function NoRequests({ offer }: Data): VNode {
  const operations = offer.versions.flatMap((offered) => offered.operations);
  const path = operations.find(({ id }) => id === "products:list")?.path ?? operations[0]?.path;
  return (
    <EmptyState title="No requests yet" command={`curl ${location.origin}${path}`}>
      Point a client at <code>{location.origin}</code>, or try this. Without a token it is refused, and you see here
      why.
    </EmptyState>
  );
}

/** The version asked for, and the one that processed the request where that is another. */
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

function Status({ status, fault }: RecordedRequest): VNode {
  return (
    <>
      <Badge tone={statusTone(status)}>{status ?? "lost"}</Badge>
      {fault !== null && <Badge tone="accent">fault</Badge>}
    </>
  );
}

function pathOf(path: string, query: string): string {
  return query === "" ? path : `${path}?${query}`;
}

function countOf(shown: number, { requests, requestCount }: Data, filter: string): string {
  if (filter.trim() !== "") return `${formatInteger(shown)} of ${formatInteger(requests.length)}`;
  if (requestCount > requests.length) return `the newest ${formatInteger(shown)} of ${formatInteger(requestCount)}`;
  return pluralize(shown, "request");
}
