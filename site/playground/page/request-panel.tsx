import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { PlaygroundContent } from "../link.ts";
import { PRESETS } from "../presets.ts";
import type { Playground, PlaygroundProps } from "./app.tsx";
import { editedFields, METHODS } from "./content.ts";
import { explain } from "./explain.ts";
import { CodeBlock, Editor, Examples, ExchangeLine, Headers, Note, PanelForm, reveal } from "./parts.tsx";
import type { Exchange } from "./session.ts";

/** The content of the right side. An error replaces an older response. */
interface Result {
  readonly sent: PlaygroundContent;
  readonly exchange?: Exchange;
  readonly error?: Error;
  /** Whether the page sent it by itself. */
  readonly isFirst?: boolean;
}

const REQUEST_FIELDS = ["version", "credential", "scopes", "method", "path", "headers", "body"] as const;

/** Edits a request, sends it, and shows the response. Sends an example at once when the page has just been loaded. */
export function RequestPanel({ playground, isFirst }: PlaygroundProps & { readonly isFirst: boolean }): VNode {
  const { content, session, edit, announce, problems } = playground;
  const [result, setResult] = useState<Result>();
  const send = async (sent: PlaygroundContent, isFirst = false) => {
    try {
      const exchange = await session.send(sent);
      setResult({ sent, exchange, isFirst });
      announce(`The response has the status ${exchange.response.status}.`);
    } catch (error) {
      setResult({ sent, error: error as Error });
      announce("The request was not sent.");
    }
  };
  useEffect(() => {
    const isExample = content.panel === "request" && [...problems, ...editedFields(content, "request")].length === 0;
    if (isFirst && isExample) void send(content, true);
  }, []);
  const isStale = result && REQUEST_FIELDS.some((name) => result.sent[name] !== content[name]);
  return (
    <PanelForm
      name="request"
      label="Response"
      submit={() => send(content)}
      playground={playground}
      action="Send"
      controls={<RequestLine playground={playground} />}
      moreControls={
        <div class="pg-examples">
          <Examples playground={playground} />
          <Presets playground={playground} send={send} />
        </div>
      }
      editors={
        <>
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
        </>
      }
    >
      {!result && problems.length > 0 && (
        <Note kind="bad" title="Parts of the link were ignored." text={problems.join("\n")} />
      )}
      {isStale && <p class="pg-dim pg-changed">You have changed the request. Press Send to see its response.</p>}
      {result ? (
        <ResultView result={result} playground={playground} />
      ) : (
        <p class="pg-empty">Press Send, or Ctrl+Enter, to see the mock's response.</p>
      )}
    </PanelForm>
  );
}

/** Edits the method and the path. */
function RequestLine({ playground: { content, edit } }: PlaygroundProps): VNode {
  return (
    <>
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
    </>
  );
}

interface PresetsProps extends PlaygroundProps {
  readonly send: (content: PlaygroundContent) => Promise<void>;
}

/** Loads a preset, and sends it. */
function Presets({ playground: { content, load }, send }: PresetsProps): VNode {
  const choose = (preset: string, version = content.version) =>
    load({ operation: "events.ingest", preset, version }, (loaded) => void send(loaded).then(() => reveal("request")));
  return (
    <>
      <span class="pg-dim">Try</span>
      {PRESETS.map(({ name, title, hint, content: { version } }) => (
        <button
          key={name}
          type="button"
          class="pg-chip"
          title={hint}
          aria-pressed={name === content.preset}
          onClick={() => choose(name, version)}
        >
          {title}
        </button>
      ))}
      <span class="pg-dim">{PRESETS.find(({ name }) => name === content.preset)?.hint}</span>
    </>
  );
}

interface ResultProps {
  readonly result: Result;
  readonly playground: Playground;
}

function ResultView({ result: { exchange, error, isFirst }, playground }: ResultProps): VNode {
  if (!exchange) return <Note kind="bad" title="The request was not sent." text={error?.message} />;
  const { request, response } = exchange;
  const explanation = explain(exchange, playground);
  return (
    <>
      <p class="pg-line">
        <ExchangeLine exchange={exchange} />
      </p>
      {isFirst && <p class="pg-dim">The page sent this request when it opened.</p>}
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
        <pre class="pg-headers">{`${request.method} ${request.url}`}</pre>
        <Headers headers={request.headers} />
        {request.body !== "" && <CodeBlock label="Request body" text={request.body} />}
      </details>
    </>
  );
}
