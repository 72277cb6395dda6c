import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { METHODS, type PlaygroundContent } from "../link.ts";
import { PRESETS, type Preset } from "../samples.ts";
import type { Playground, PlaygroundProps } from "./app.tsx";
import { explain } from "./explain.ts";
import { CodeBlock, Editor, Examples, Headers, Note, PanelForm, reveal, Status } from "./parts.tsx";
import type { Exchange } from "./session.ts";

/** The content of the right side. An error replaces an older response. */
interface Result {
  readonly sent: PlaygroundContent;
  readonly exchange?: Exchange;
  readonly error?: Error;
}

const REQUEST_FIELDS = ["version", "credential", "scopes", "method", "path", "headers", "body"] as const;

/** Edits a request, sends it, and shows the response. */
export function RequestPanel({ playground }: PlaygroundProps): VNode {
  const { content, data, session, edit, load, problems } = playground;
  const [result, setResult] = useState<Result>();
  const pane = useRef<HTMLElement>(null);
  // An older response does not apply to a new link or a new mock.
  useEffect(() => setResult(undefined), [problems, session.mock]);
  const send = async (sent: PlaygroundContent) => {
    setResult(await request(playground, sent));
    reveal(pane.current);
  };
  const preset = PRESETS.find(({ name }) => name === content.preset);
  const choose = ({ name, release }: Preset) =>
    load({ operation: "events.ingest", preset: name, ...(release && { version: data.created }) }, send);
  const isStale = result && REQUEST_FIELDS.some((name) => String(result.sent[name]) !== String(content[name]));
  return (
    <PanelForm name="request" submit={() => send(content)} playground={playground}>
      <RequestBar playground={playground} />
      <Examples playground={playground}>
        <span class="pg-dim">Try</span>
        {PRESETS.map((each) => (
          <button
            key={each.name}
            type="button"
            class="pg-chip"
            title={each.hint}
            aria-pressed={each.name === content.preset}
            onClick={() => choose(each)}
          >
            {each.title}
          </button>
        ))}
        {preset && <span class="pg-dim">{preset.hint}</span>}
      </Examples>
      <div class="pg-panes">
        <div class="pg-pane">
          {content.method !== "GET" && (
            <>
              <h2>Body</h2>
              <Editor label="Body" language="json" value={content.body} onChange={(body) => edit({ body })} />
            </>
          )}
          <h2>
            Headers <small>Added unless you set them: Authorization, Service-Version</small>
          </h2>
          <textarea
            aria-label="Headers"
            rows={3}
            value={content.headers}
            spellcheck={false}
            onInput={({ currentTarget }) => edit({ headers: currentTarget.value })}
          />
        </div>
        <section class={`pg-pane pg-result ${isStale ? "pg-stale" : ""}`} aria-label="Response" ref={pane}>
          {!result && problems.length > 0 && (
            <Note kind="bad" title="Parts of the link are not used." text={problems.join("\n")} />
          )}
          {isStale && <p class="pg-dim">You changed the request since. Press Send to see its response.</p>}
          {result ? (
            <ResultView result={result} playground={playground} />
          ) : (
            <p class="pg-empty">
              {preset && `${preset.title} is loaded. `}Press Send, or Ctrl+Enter, to see the mock's response.
            </p>
          )}
        </section>
      </div>
    </PanelForm>
  );
}

/** Shows the method, the path, and the button that sends the request. */
function RequestBar({ playground: { content, edit } }: PlaygroundProps): VNode {
  return (
    <div class="pg-bar">
      <select
        aria-label="Method"
        class="pg-method"
        value={content.method}
        onChange={({ currentTarget }) => edit({ method: currentTarget.value })}
      >
        {METHODS.map((method) => (
          <option key={method}>{method}</option>
        ))}
      </select>
      <input
        type="text"
        aria-label="Path"
        value={content.path}
        spellcheck={false}
        autocomplete="off"
        onInput={({ currentTarget }) => edit({ path: currentTarget.value })}
      />
      <button type="submit" class="pg-primary">
        Send
      </button>
    </div>
  );
}

async function request({ session, announce }: Playground, sent: PlaygroundContent): Promise<Result> {
  try {
    const exchange = await session.send(sent);
    announce(`The response has the status ${exchange.response.status}.`);
    return { sent, exchange };
  } catch (error) {
    announce("The request was not sent.");
    return { sent, error: error as Error };
  }
}

interface ResultProps extends PlaygroundProps {
  readonly result: Result;
}

function ResultView({ result: { exchange, error }, playground }: ResultProps): VNode {
  if (!exchange) {
    return <Note kind="bad" title="The request was not sent." text={error?.message} />;
  }
  const { request: sent, response, used } = exchange;
  const { pathname, search } = new URL(sent.url);
  const explanation = explain(exchange, playground);
  return (
    <>
      <p class="pg-line">
        <Status status={response.status} />
        <code>{`${sent.method} ${pathname}${search}`}</code>
        <span class="pg-dim">{used === null ? "not processed by a version" : `processed by ${used}`}</span>
      </p>
      {explanation && (
        <Note kind={response.status < 400 ? "good" : "warn"} title={explanation.title} text={explanation.text}>
          {explanation.problems?.map(([field, problem]) => (
            <p key={field}>
              <code>{field}</code> {problem}
            </p>
          ))}
          {explanation.fix && (
            <button type="button" onClick={() => playground.edit(explanation.fix?.changes ?? {})}>
              {explanation.fix.title}
            </button>
          )}
        </Note>
      )}
      {response.body !== "" && <CodeBlock label="Response body" text={response.body} />}
      <details>
        <summary>Response headers</summary>
        <Headers headers={response.headers} />
      </details>
      <details>
        <summary>Request as sent</summary>
        <p class="pg-line">
          <code>
            {sent.method} {sent.url}
          </code>
        </p>
        <Headers headers={sent.headers} />
        {sent.body !== "" && <CodeBlock label="Request body" text={sent.body} />}
      </details>
    </>
  );
}
