import type { VNode } from "preact";
import type { RecordedRequest } from "../../../journal/requests.ts";
import { Badge, statusTone } from "../elements/badge.tsx";
import { CopyButton } from "../elements/copy-button.tsx";
import { formatDateTime, formatDuration } from "../elements/format.ts";
import { JsonView } from "../elements/json-view.tsx";
import { PropertyList } from "../elements/property-list.tsx";
import { curlCommand } from "./curl-command.ts";

/** Shows one request of the journal with its headers, body and response. */
export function RequestDetail({ request }: { readonly request: RecordedRequest }): VNode {
  const { at, query, operation, versionAsked, versionUsed, credential, status, duration, fault, ignored } = request;
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
          ["Answered version", versionUsed ? <code>{versionUsed}</code> : "none"],
          ["Credential", credential ? <code>{credential}</code> : "no valid credential"],
          [
            "Received",
            <time key="at" dateTime={at} title={at}>
              {formatDateTime(at)}
            </time>,
          ],
          ["Ignored fields", ignored.length > 0 ? <code key="ignored">{ignored.join(", ")}</code> : null],
          ["Duration", formatDuration(duration)],
        ]}
      />
      <JsonView title="Request body" value={request.body} empty="Empty." />
      <JsonView
        title="Response body"
        value={request.answer}
        empty={status === null ? "A fault suppressed the response." : "Empty."}
      />
      <JsonView title="Request headers" value={request.headers} empty="No headers." />
    </>
  );
}
