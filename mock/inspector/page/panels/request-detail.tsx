import type { VNode } from "preact";
import type { RecordedRequest } from "../../../journal/requests.ts";
import { CopyButton, JsonView } from "../elements/code.tsx";
import { formatDuration } from "../elements/format.ts";
import { Badge, DateTime, PropertyList, statusTone } from "../elements/text.tsx";

/** Shows one request of the journal with its headers, body and response. */
export function RequestDetail({ request }: { readonly request: RecordedRequest }): VNode {
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
        value={request.answer}
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
  const { method, path, query, versionAsked, credential, body } = request;
  const parts = [`curl --globoff -X ${method} ${quoted(origin + path + (query === "" ? "" : `?${query}`))}`];
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
