import type { VNode } from "preact";
import type { UsageSeries } from "../../../control/usage.ts";
import type { StoredEvent } from "../../../state/records.ts";
import { Card, EmptyState } from "../elements/card.tsx";
import { Field } from "../elements/form.tsx";
import { formatDateTime, formatInteger, formatInterval, pluralize } from "../elements/format.ts";
import { type Column, Table } from "../elements/table.tsx";
import { DateTime, TimeOfDay } from "../elements/text.tsx";
import { useRoute, useTabState } from "../session/hooks.ts";
import type { PanelProps } from "../session/session.ts";

/** Shows the usage events by name and over time, and the newest ones. */
export function UsagePanel(props: PanelProps): VNode {
  const [name, setName] = useTabState("usage.name", "");
  const usage = useRoute("GET /usage", props);
  if (!usage) return <p class="hint">Loading…</p>;
  if (usage.from === null) return <NoUsage />;
  const chosen = usage.names.find((series) => series.name === name);
  const { total, names, others, newest, step } = usage;
  return (
    <div class="flow">
      <Card
        title={chosen?.name ?? "All events"}
        note={<span class="muted">per {formatInterval(step).replace(/^1 /, "")}</span>}
        action={
          <Field
            label="Show"
            options={[["", "All events"], ...names.map((series) => series.name)]}
            selected={chosen?.name ?? ""}
            onChange={setName}
          />
        }
      >
        <BarChart bars={(chosen ?? usage).bars} from={usage.from} step={step} />
      </Card>
      <Card title="Counts by name">
        <Table label="Table of counts by name" columns={NAME_COLUMNS} rows={names} />
        {others.names > 0 && (
          <p class="muted">
            Not shown: {pluralize(others.names, "more name")} with {pluralize(others.count, "event")}.
          </p>
        )}
      </Card>
      <Card title={`Newest ${newest.length === total ? "events" : pluralize(newest.length, "event")}`}>
        <Table label="Table of the newest events" columns={EVENT_COLUMNS} rows={newest} />
      </Card>
    </div>
  );
}

const NAME_COLUMNS: readonly Column<UsageSeries>[] = [
  { title: "Name", class: "break", cell: ({ name }) => <code>{name}</code> },
  { title: "Events", class: "number", cell: ({ count }) => formatInteger(count) },
];

const EVENT_COLUMNS: readonly Column<StoredEvent>[] = [
  { title: "Received", class: "nowrap", cell: ({ ingested_at }) => <TimeOfDay at={ingested_at} /> },
  { title: "Name", cell: ({ name }) => <code>{name}</code> },
  {
    title: "Customer",
    cell: (event) => <code>{event.external_customer_id ?? event.customer_id ?? ""}</code>,
  },
  { title: "Timestamp", class: "nowrap", cell: ({ timestamp }) => <DateTime at={timestamp} /> },
  { title: "Metadata", class: "nowrap", cell: ({ metadata }) => <code>{JSON.stringify(metadata)}</code> },
];

function NoUsage(): VNode {
  const body = '{ "events": [{ "name": "api.call", "external_customer_id": "acme" }] }';
  const command = [
    `curl -X POST ${location.origin}/v1/events/ingest`,
    '-H "Authorization: Bearer $BILLING_TOKEN"',
    "-H 'Content-Type: application/json'",
    `-d '${body}'`,
  ].join(" \\\n  ");
  return (
    <EmptyState title="No usage events yet" command={command}>
      Ingest usage events to see them counted by name and over time.
    </EmptyState>
  );
}

interface BarChartProps {
  readonly bars: readonly number[];
  /** The start of the first bar, in milliseconds since 1970. */
  readonly from: number;
  /** The time that each bar covers, in seconds. */
  readonly step: number;
}

/** Keeps a few bars from filling the whole width. */
const MIN_BARS = 30;

/** Shows counts over time as a bar chart. */
function BarChart({ bars, from, step }: BarChartProps): VNode {
  const at = (index: number) => formatDateTime(from + index * step * 1000);
  const highest = Math.max(...bars);
  // Fewer bars stand at the right end, which is the newest time.
  const missing = Math.max(0, MIN_BARS - bars.length);
  const label = `Bar chart of events from ${at(0)} to ${at(bars.length)}, one bar per ${formatInterval(step)}. Highest bar: ${pluralize(highest, "event")}.`;
  return (
    <div class="chart">
      <div class="chart-scale" aria-hidden="true">
        <span>{formatInteger(highest)}</span>
        <span>0</span>
      </div>
      <svg
        viewBox={`${-missing} 0 ${missing + bars.length} 100`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {bars.map((count, index) => {
          // Every count is visible, and the tooltip covers the whole column, so that low bars are easy to hover.
          const height = Math.max(2, (count / highest) * 100);
          return (
            count > 0 && (
              <g key={index} class="bar">
                <rect x={index} y={0} width={1} height={100} class="bar-column" />
                <rect x={index + 0.1} y={100 - height} width={0.8} height={height} />
                <title>{`${at(index)}: ${pluralize(count, "event")}`}</title>
              </g>
            )
          );
        })}
      </svg>
      <div class="chart-times" aria-hidden="true">
        <span>{at(-missing)}</span>
        <span>{at(bars.length)}</span>
      </div>
    </div>
  );
}
