import type { VNode } from "preact";
import type { RecordedRequest } from "../../../journal/journal.ts";
import { Badge, statusTone } from "../elements/badge.tsx";
import { CopyButton } from "../elements/copy-button.tsx";
import { formatDateTime, formatDuration } from "../elements/format.ts";
import { JsonView } from "../elements/json-view.tsx";
import { PropertyList } from "../elements/property-list.tsx";
import { curlCommand } from "./curl-command.ts";

/** One request of the journal, with what was sent and what was answered. */
export function RequestDetail({ request }: { readonly request: RecordedRequest }): VNode {
  const { at, query, operation, versionAsked, versionUsed, credential, status, duration, fault } = request;
  return (
    <>
      <div class="detail-actions">
        <Badge tone={statusTone(status)}>{status ?? "no answer"}</Badge>
        {fault !== null && <Badge tone="accent">struck by {fault}</Badge>}
        <span class="space" />
        <CopyButton text={curlCommand(request, location.origin)} label="Copy as curl" />
      </div>
      <PropertyList
        facts={[
          ["Operation", operation && <code>{operation}</code>],
          ["Query", query && <code>{query}</code>],
          ["Version asked", versionAsked ? <code>{versionAsked}</code> : "none"],
          ["Version used", versionUsed ? <code>{versionUsed}</code> : "none"],
          ["Credential", credential ? <code>{credential}</code> : "none accepted"],
          [
            "Arrived",
            <time key="at" dateTime={at} title={at}>
              {formatDateTime(at)}
            </time>,
          ],
          ["Duration", formatDuration(duration)],
        ]}
      />
      <JsonView title="Headers" value={request.headers} empty="It had none." />
      <JsonView title="Request" value={request.body} empty="It had no body." />
      <JsonView
        title="Answer"
        value={request.answer}
        empty={status === null ? "A fault took it away." : "It had no body."}
      />
    </>
  );
}
