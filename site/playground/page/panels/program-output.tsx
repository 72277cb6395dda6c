import type { VNode } from "preact";
import type { RecordedRequest } from "../../../../mock/journal/requests.ts";
import type { OutputLine } from "../../protocol.ts";
import { CodeBlock } from "../elements/code-block.tsx";
import { describeEnd, type ProgramEnd } from "../session/program-run.ts";

interface ProgramOutputProps {
  readonly lines: readonly OutputLine[];
  readonly end: ProgramEnd | undefined;
}

/** Shows what a program printed, how it ended, and the requests that it sent. */
export function ProgramOutput({ lines, end }: ProgramOutputProps): VNode {
  if (lines.length === 0 && !end) {
    return (
      <div class="playground-result">
        <p class="playground-empty">Run the program to see what it prints.</p>
      </div>
    );
  }
  return (
    <div class="playground-result">
      <h2>Output</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard can scroll the output. */}
      <section class="playground-code" aria-label="Output" tabIndex={0}>
        {lines.map(({ level, text }, index) => (
          <pre key={index} class={`playground-${level}`}>
            {text}
          </pre>
        ))}
        {end && <p class={`playground-end playground-${end.outcome.replace(" ", "-")}`}>{describeEnd(end)}</p>}
      </section>
      {end && end.requests.length > 0 && (
        <>
          <h2>Requests</h2>
          {end.requests.map((request) => (
            <RequestLine key={request.id} request={request} />
          ))}
        </>
      )}
    </div>
  );
}

function RequestLine({ request }: { readonly request: RecordedRequest }): VNode {
  const { method, path, query, status, versionUsed, headers, body, answer } = request;
  return (
    <details class="playground-request">
      <summary>
        <span class={`http-status http-${String(status ?? 5).charAt(0)}xx`}>{status ?? "no response"}</span>{" "}
        <code>
          {method} {path}
          {query === "" ? "" : `?${query}`}
        </code>{" "}
        {versionUsed !== null && <small>processed by {versionUsed}</small>}
      </summary>
      <CodeBlock label="Headers of the request" text={asText(headers)} />
      {body !== null && <CodeBlock label="Body of the request" text={asText(body)} />}
      {answer !== null && <CodeBlock label="Body of the response" text={asText(answer)} />}
    </details>
  );
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
