import type { VNode } from "preact";
import type { RecordedRequest } from "../../journal/journal.ts";
import { Badge, toneOf } from "./badge.tsx";
import { CopyButton } from "./copy.tsx";
import { curlOf } from "./curl.ts";
import { Facts } from "./facts.tsx";
import { dayAndTime, milliseconds } from "./format.ts";
import { Json } from "./json.tsx";

/** One request of the journal, with what was sent and what was answered. */
export function RequestDetail({ request }: { readonly request: RecordedRequest }): VNode {
  const { at, query, operation, versionAsked, versionUsed, credential, status, duration, fault } = request;
  return (
    <>
      <div class="detail-actions">
        <Badge tone={toneOf(status)}>{status ?? "no answer"}</Badge>
        {fault !== null && <Badge tone="accent">struck by {fault}</Badge>}
        <span class="space" />
        <CopyButton text={curlOf(request, location.origin)} label="Copy as curl" />
      </div>
      <Facts
        facts={[
          ["Operation", operation && <code>{operation}</code>],
          ["Query", query && <code>{query}</code>],
          ["Version asked", versionAsked ? <code>{versionAsked}</code> : "none"],
          ["Version used", versionUsed ? <code>{versionUsed}</code> : "none"],
          ["Credential", credential ? <code>{credential}</code> : "none accepted"],
          [
            "Arrived",
            <time key="at" dateTime={at} title={at}>
              {dayAndTime(at)}
            </time>,
          ],
          ["Duration", milliseconds(duration)],
        ]}
      />
      <Json title="Headers" value={request.headers} empty="It had none." />
      <Json title="Request" value={request.body} empty="It had no body." />
      <Json
        title="Answer"
        value={request.answer}
        empty={status === null ? "A fault took it away." : "It had no body."}
      />
    </>
  );
}
