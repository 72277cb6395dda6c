import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { OutputLine } from "../worker/protocol.ts";
import type { Playground, PlaygroundProps } from "./app.tsx";
import { CodeBlock, Editor, Examples, Note, PanelForm, reveal, Status } from "./parts.tsx";
import { describeEnd, type ProgramEnd, type ProgramRequest, runProgram, SHOWN_LINES, TIME_LIMIT } from "./program.ts";

/** Edits a program, runs it, and shows its output. */
export function CodePanel({ playground }: PlaygroundProps): VNode {
  const { content, session, edit } = playground;
  const [lines, setLines] = useState<readonly OutputLine[]>([]);
  const [end, setEnd] = useState<ProgramEnd>();
  const [running, setRunning] = useState<AbortController>();
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    setLines([]);
    setEnd(undefined);
  }, [session.mock]);
  const others = importedVersions(content.code).filter((version) => version !== content.version);
  const run = async () => {
    if (running) return;
    setLines([]);
    setEnd(undefined);
    const stop = new AbortController();
    setRunning(stop);
    reveal(pane.current);
    setEnd(await start(playground, stop, (line) => setLines((printed) => [...printed, line].slice(0, SHOWN_LINES))));
    setRunning(undefined);
  };
  return (
    <PanelForm name="code" submit={run} playground={playground}>
      <div class="pg-bar">
        <Examples playground={playground} />
        <button type="button" aria-disabled={!running} onClick={() => running?.abort()}>
          Stop
        </button>
        <button type="submit" class="pg-primary" aria-disabled={running !== undefined}>
          Run
        </button>
      </div>
      <div class="pg-panes">
        <div class="pg-pane">
          <Editor label="Program" language="typescript" value={content.code} onChange={(code) => edit({ code })} />
          {others.length > 0 && (
            <p>
              This program imports {others.join(" and ")}. The version that you select does not change your imports.
            </p>
          )}
          <p class="pg-dim">
            TypeScript. <code>fetch</code> calls the mock in this page, <code>process.env.BILLING_URL</code> is its
            address, <code>process.env.BILLING_TOKEN</code> is the token, and a program is stopped after{" "}
            {TIME_LIMIT / 1000} seconds.
          </p>
        </div>
        <section class="pg-pane pg-result" aria-label="Output" ref={pane}>
          <h2>Console</h2>
          {lines.length === 0 && !end && (
            <p class="pg-empty">{running ? "Running…" : "Press Run, or Ctrl+Enter, to see what the program prints."}</p>
          )}
          {(lines.length > 0 || end) && <Console lines={lines} end={end} />}
          {end && end.requests.length > 0 && (
            <>
              <h2>Requests</h2>
              {end.requests.map((request, index) => (
                <RequestLine key={index} request={request} />
              ))}
            </>
          )}
        </section>
      </div>
    </PanelForm>
  );
}

/** Returns the versions that a program imports, without duplicates. */
function importedVersions(code: string): readonly string[] {
  return [...new Set(Array.from(code.matchAll(/["'].+?\/sdk\/(20\d\d-\d\d)/g), ([, version = ""]) => version))];
}

async function start(
  { session, content, workerUrl, announce }: Playground,
  stop: AbortController,
  onLine: (line: OutputLine) => void,
): Promise<ProgramEnd> {
  announce("The program is running.");
  const timer = setTimeout(() => stop.abort("timed out"), TIME_LIMIT);
  const env = {
    BILLING_URL: session.mock.baseUrls[0],
    BILLING_TOKEN: session.token(content),
    WEBHOOK_SECRET: session.secret,
  };
  const end = await runProgram({ code: content.code, env, session, workerUrl, onLine }, stop.signal);
  clearTimeout(timer);
  announce(end.outcome === "failed" ? "The program failed." : describeEnd(end));
  return end;
}

interface ConsoleProps {
  readonly lines: readonly OutputLine[];
  readonly end: ProgramEnd | undefined;
}

function Console({ lines, end }: ConsoleProps): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard can scroll the output.
    <section class="pg-block pg-console" aria-label="Console" tabIndex={0}>
      {lines.map(({ level, text }, index) => (
        <pre key={index} class={`pg-${level}`}>
          {text}
        </pre>
      ))}
      {end?.outcome === "failed" ? (
        <Note kind="bad" title="The program failed." text={describeEnd(end)} />
      ) : (
        end && <p class="pg-dim">{describeEnd(end)}</p>
      )}
    </section>
  );
}

function RequestLine({ request }: { readonly request: ProgramRequest }): VNode {
  const { method, path, query, status, versionUsed, body, answer, blocked } = request;
  if (blocked !== undefined) {
    return (
      <p class="pg-line">
        <span class="pg-status pg-bad">blocked</span>
        <code>
          {method} {path}
        </code>
        <span class="pg-dim">{blocked} is not the mock: nothing was sent</span>
      </p>
    );
  }
  return (
    <details>
      <summary class="pg-line">
        <Status status={status} />
        <code>
          {method} {path}
          {query === "" ? "" : `?${query}`}
        </code>
        {versionUsed !== null && <span class="pg-dim">processed by {versionUsed}</span>}
      </summary>
      {body !== null && <CodeBlock label="Request body" text={JSON.stringify(body)} />}
      {answer !== null && <CodeBlock label="Response body" text={JSON.stringify(answer)} />}
    </details>
  );
}
