import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { UsageSummary } from "../../../control/usage.ts";
import { BarChart, Sparkline } from "../elements/charts.tsx";
import { EmptyState } from "../elements/empty-state.tsx";
import { formatDateTime, formatInteger, formatInterval, pluralize } from "../elements/format.ts";
import { TimeOfDay } from "../elements/time-of-day.tsx";
import { useTabState } from "../session/use-tab-state.ts";
import type { PanelProps } from "./panel-props.ts";

/** Shows the usage events by name and over time, and the newest ones. */
export function UsagePanel({ data, session }: PanelProps): VNode {
  const [name, setName] = useTabState("usage.name", "");
  const [usage, setUsage] = useTabState<UsageSummary | undefined>("usage", undefined);
  useEffect(() => {
    session.api("GET /usage").then(setUsage, ignore);
  }, [data.revision, session]);
  if (!usage) return <p class="hint">Loading…</p>;
  if (usage.total === 0 || usage.from === null) return <NoUsage />;
  const chosen = usage.names.find((series) => series.name === name);
  const { bars } = chosen ?? usage;
  return (
    <div class="flow">
      <section class="card chart-card">
        <div class="card-bar">
          <h2>
            {chosen ? chosen.name : "All events"}{" "}
            <span class="muted">per {formatInterval(usage.step).replace(/^1 /, "")}</span>
          </h2>
          <span class="spacer" />
          <label class="inline-field">
            Show
            <select value={chosen ? name : ""} onChange={({ currentTarget }) => setName(currentTarget.value)}>
              <option value="">All events</option>
              {usage.names.map((series) => (
                <option key={series.name} value={series.name}>
                  {series.name}
                </option>
              ))}
            </select>
          </label>
        </div>
        <BarChart bars={bars} from={usage.from} step={usage.step} />
      </section>
      <Names usage={usage} />
      <Newest usage={usage} />
    </div>
  );
}

/** The connection banner already tells that the server cannot be reached. */
const ignore = (): void => {};

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

function Names({ usage }: { readonly usage: UsageSummary }): VNode {
  return (
    <section class="card" aria-label="Counts by name">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" class="number">
              Events
            </th>
            <th scope="col" class="wide">
              Over time
            </th>
          </tr>
        </thead>
        <tbody>
          {usage.names.map((series) => (
            <tr key={series.name}>
              <td class="break">
                <code>{series.name}</code>
              </td>
              <td class="number">{formatInteger(series.count)}</td>
              <td>
                <Sparkline bars={series.bars} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {usage.others.names > 0 && (
        <p class="muted">
          Not shown: {pluralize(usage.others.names, "more name")} with {pluralize(usage.others.count, "event")}.
        </p>
      )}
    </section>
  );
}

function Newest({ usage }: { readonly usage: UsageSummary }): VNode {
  return (
    <section class="card" aria-label="Newest events">
      <h2>Newest {usage.newest.length === usage.total ? "events" : pluralize(usage.newest.length, "event")}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable with the keyboard */}
      <section class="overflow" tabIndex={0} aria-label="Table of the newest events">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Received</th>
              <th scope="col">Name</th>
              <th scope="col">Customer</th>
              <th scope="col">Timestamp</th>
              <th scope="col">Metadata</th>
            </tr>
          </thead>
          <tbody>
            {usage.newest.map(({ id, ingested_at, timestamp, name, customer_id, external_customer_id, metadata }) => (
              <tr key={id}>
                <td class="tabular nowrap">
                  <TimeOfDay at={ingested_at} />
                </td>
                <td>
                  <code>{name}</code>
                </td>
                <td>
                  <code>{external_customer_id ?? customer_id ?? ""}</code>
                </td>
                <td class="tabular nowrap">{formatDateTime(timestamp)}</td>
                <td class="nowrap">
                  <code>{JSON.stringify(metadata)}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
