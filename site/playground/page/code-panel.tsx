import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { PlaygroundContent } from "../link.ts";
import type { OutputLine } from "../worker/protocol.ts";
import type { PlaygroundProps } from "./app.tsx";
import { CodeBlock, Editor, Examples, ExchangeLine, Note, PanelForm } from "./parts.tsx";
import { describeEnd, type ProgramEnd, type ProgramRequest, runProgram, TIME_LIMIT } from "./program.ts";

/** The output of a program, and its end. */
interface Output {
  readonly lines: readonly OutputLine[];
  readonly requests: readonly ProgramRequest[];
  readonly end?: ProgramEnd;
}

/** Edits a program, runs it, and shows its output. */
export function CodePanel({ playground }: PlaygroundProps): VNode {
  const { content, session, edit, announce } = playground;
  const [output, setOutput] = useState<Output>();
  const [running, setRunning] = useState<AbortController>();
  const update = (change: (output: Output) => Partial<Output>) =>
    setOutput((before = { lines: [], requests: [] }) => ({ ...before, ...change(before) }));
  const run = async () => {
    if (running) return running.abort();
    const stop = new AbortController();
    setRunning(stop);
    setOutput({ lines: [], requests: [] });
    announce("The program is running.");
    const env = {
      BILLING_URL: session.mock.baseUrls[0],
      BILLING_TOKEN: session.token(content),
      WEBHOOK_SECRET: session.secret,
    };
    const onLine = (line: OutputLine) =>
      update(({ lines }) => ({ lines: line.level === "clear" ? [] : [...lines, line] }));
    const onRequest = (request: ProgramRequest) => update(({ requests }) => ({ requests: [...requests, request] }));
    const end = await runProgram({ code: content.code, env, session, onLine, onRequest }, stop.signal);
    update(() => ({ end }));
    setRunning(undefined);
    announce(end.outcome === "failed" ? "The program failed." : describeEnd(end));
  };
  return (
    <PanelForm
      name="code"
      label="Output"
      // The result is shown as soon as the program starts.
      submit={() => void run()}
      playground={playground}
      action={running ? "Stop" : "Run"}
      controls={<Examples playground={playground} />}
      editors={
        <>
          <Editor label="Program" language="typescript" value={content.code} onChange={(code) => edit({ code })} />
          <Notice content={content} />
          <p class="pg-dim">
            TypeScript. A program is stopped after {TIME_LIMIT / 1000} seconds.
            {!hasOwnMock(content) && (
              <>
                {" "}
                <code>fetch</code> calls the mock in this page, <code>process.env.BILLING_URL</code> is its address, and{" "}
                <code>process.env.BILLING_TOKEN</code> is the token.
              </>
            )}
          </p>
        </>
      }
    >
      <h2>Console</h2>
      {output && (output.end || output.lines.length > 0) ? (
        <Console output={output} />
      ) : (
        <p class="pg-empty">{running ? "Running…" : "Press Run, or Ctrl+Enter, to see what the program prints."}</p>
      )}
      {output && output.requests.length > 0 && <h2>Requests</h2>}
      {output?.requests.map((request, index) => (
        <RequestLine key={index} request={request} />
      ))}
    </PanelForm>
  );
}

const hasOwnMock = ({ code }: PlaygroundContent) => /\bcreateMock\(/.test(code);

/** Says which of the page's settings do not apply to a program. The style hides those that do not apply to its own mock. */
function Notice({ content }: { readonly content: PlaygroundContent }): VNode | false {
  const { code, version } = content;
  if (hasOwnMock(content))
    return <p class="pg-own-mock">This program creates its own mock, without this page's version, token and events.</p>;
  const imported = Array.from(code.matchAll(/["'].+?\/sdk\/(20\d\d-\d\d)/g), ([, name]) => name);
  const others = [...new Set(imported)].filter((name) => name !== version).join(" and ");
  const text = `This program imports ${others}. The version that you select does not change your imports.`;
  return others !== "" && <p>{text}</p>;
}

function Console({ output: { lines, end } }: { readonly output: Output }): VNode {
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
        end && (lines.length === 0 || end.outcome !== "finished") && <p class="pg-dim">{describeEnd(end)}</p>
      )}
    </section>
  );
}

function RequestLine({ request }: { readonly request: ProgramRequest }): VNode {
  if ("blocked" in request) {
    return (
      <p class="pg-line">
        <span class="pg-status pg-bad">blocked</span>
        <code>{`${request.method} ${request.url}`}</code>
        <span class="pg-dim">{request.blocked} is not the mock: nothing was sent</span>
      </p>
    );
  }
  return (
    <details>
      <summary class="pg-line">
        <ExchangeLine exchange={request} />
      </summary>
      {request.request.body !== "" && <CodeBlock label="Request body" text={request.request.body} />}
      {request.response.body !== "" && <CodeBlock label="Response body" text={request.response.body} />}
    </details>
  );
}
