import type { VNode } from "preact";
import type { Fault, FaultInput, FaultKind } from "../../../faults/fault.ts";
import { Card } from "../elements/card.tsx";
import { jsonOrText } from "../elements/code.tsx";
import { type FieldProps, type Filled, Form } from "../elements/form.tsx";
import { formatInteger, pluralize } from "../elements/format.ts";
import { type Column, Table } from "../elements/table.tsx";
import { useTabState } from "../session/hooks.ts";
import type { PanelProps, Session } from "../session/session.ts";

/** The label of each effect that a fault can have: a response with a status, only a delay, or one of the kinds. */
const EFFECTS: Readonly<Record<FaultKind | "status" | "delay", string>> = {
  status: "Status",
  delay: "Delay only",
  timeout: "Timeout: no response",
  reset: "Connection reset",
  "empty-reply": "Connection closed without a response",
  "bad-status-line": "Response that is not HTTP",
  malformed: "Body that is not valid JSON",
  truncated: "Truncated body",
};

/** Shows the active faults, and a form that adds one. */
export function FaultsPanel({ data, session }: PanelProps): VNode {
  return (
    <div class="sides">
      <FaultList data={data} session={session} />
      <FaultForm data={data} session={session} />
    </div>
  );
}

function FaultList({ data, session }: PanelProps): VNode {
  const remove = (
    <button type="button" onClick={() => session.act((api) => api("DELETE /faults"), "All faults removed.")}>
      Remove all
    </button>
  );
  return (
    <Card
      title="Active faults"
      note={data.faults.length > 1 && <span class="muted">first match applies</span>}
      action={data.faults.length > 0 && remove}
    >
      <Table
        label="Table of faults"
        empty="No faults. The mock answers every request normally."
        columns={columnsFor(session)}
        rows={data.faults}
      />
    </Card>
  );
}

const columnsFor = (session: Session): readonly Column<Fault>[] => [
  { title: "Operation", class: "break", cell: ({ operation }) => (operation ? <code>{operation}</code> : "all") },
  {
    title: "Effect",
    cell: (fault) => (
      <>
        {describeFault(fault)} <span class="muted">{settingsOf(fault)}</span>
      </>
    ),
  },
  { title: "Hits", class: "number", cell: ({ hits }) => formatInteger(hits) },
  {
    title: "Remaining",
    class: "number",
    cell: ({ times, hits }) =>
      times === undefined ? <span class="muted">unlimited</span> : formatInteger(times - hits),
  },
  {
    title: <span class="visually-hidden">Remove</span>,
    class: "number",
    cell: (fault) => (
      <button
        type="button"
        onClick={() => session.act((api) => api("DELETE /faults/{id}", { id: fault.id }), "Fault removed.")}
      >
        Remove <span class="visually-hidden">{describeFault(fault)}</span>
      </button>
    ),
  },
];

function describeFault({ status, kind }: FaultInput): string {
  return status === undefined ? EFFECTS[kind ?? "delay"] : `Status ${status}`;
}

function settingsOf({ delay, retryAfter, skip = 0, skipped, probability }: Fault): string {
  const settings = [
    delay !== undefined && `delay ${formatInteger(delay)} ms`,
    retryAfter !== undefined && `Retry-After: ${retryAfter}`,
    skip > 0 && `skips the first ${pluralize(skip, "request")} (${formatInteger(skip - skipped)} left)`,
    probability !== undefined && `${Math.round(probability * 1000) / 10}% probability`,
  ];
  return settings.filter(Boolean).join(", ");
}

/** Adds a fault from a form. */
function FaultForm({ data: { overview }, session }: PanelProps): VNode {
  const [effect, setEffect] = useTabState("faults.effect", "status");
  const operations = [...new Set(overview.versions.flatMap(({ operations }) => operations.map(({ id }) => id)))];
  const add = (filled: Filled) => session.act((api) => api("POST /faults", { body: inputOf(filled) }), "Fault added.");
  const number = (name: string, label: string, more: Partial<FieldProps> = {}): FieldProps => {
    return { name, label, type: "number", min: 0, placeholder: "none", ...more };
  };
  const isStatus = effect === "status";
  return (
    <Form
      title="Add a fault"
      action="Add fault"
      fields={[
        { label: "Operation", name: "operation", options: [["", "all"], ...operations] },
        { label: "Effect", name: "kind", options: Object.entries(EFFECTS), onChange: setEffect },
        isStatus && number("status", "Status", { defaultValue: "503", required: true, min: 200, max: 599 }),
        isStatus && number("retryAfter", "Retry-After (s)"),
        number("delay", "Delay (ms)", { required: effect === "delay" }),
        number("skip", "Skip first", { placeholder: "0" }),
        number("times", "Times", { placeholder: "unlimited", min: 1 }),
        number("probability", "Probability", { placeholder: "1", max: 1, step: "any" }),
        isStatus && { label: "Body", name: "body", rows: 3, placeholder: "JSON or text; empty by default" },
      ]}
      onSubmit={add}
    />
  );
}

/** How to read the fields that are not numbers. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  operation: String,
  body: jsonOrText,
  kind: (effect) => (effect === "status" || effect === "delay" ? undefined : effect),
};

/** Returns the fault that a form describes. */
function inputOf(filled: Filled): FaultInput {
  return Object.fromEntries(Object.entries(filled).map(([name, text]) => [name, (READERS[name] ?? Number)(text)]));
}
