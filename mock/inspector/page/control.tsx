import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { curlCommand } from "./curl.ts";
import { Badge, Code, CopyButton, errorMessage, jsonOrText, statusTone } from "./elements.tsx";
import { type Item, ListView } from "./list-view.tsx";
import type { ListedRoute, PanelProps, Session } from "./session.ts";

/** Shows the routes of the control API, and a form for one of them, written from its description. */
export function ControlPanel({ place, data, session }: PanelProps): VNode {
  const open = data.routes.find((route) => nameOf(route) === place.id);
  return (
    <ListView
      place={place}
      label="Routes of the control API"
      example="clock"
      items={data.routes.map(itemOf)}
      detail={open && <RouteForm key={nameOf(open)} route={open} session={session} />}
    />
  );
}

function nameOf({ method, path }: ListedRoute): string {
  return `${method} ${path}`;
}

function itemOf(route: ListedRoute): Item {
  const { method, path, summary } = route;
  const title = path.replace("/__mock", "");
  return { id: nameOf(route), badge: ["plain", method], title, note: withCode(summary), words: `${method} ${summary}` };
}

/** Shows what a description has in backticks as code. */
function withCode(text: string): (string | VNode)[] {
  return text.split("`").map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>));
}

/** The texts in the fields of a form: `{id}`, the query parameters, and the body. */
type Texts = Readonly<Record<string, string>>;

interface Outcome {
  readonly status?: number;
  readonly text: string;
}

/** Sends one request to the control API, and shows the response. */
function RouteForm({ route, session }: { readonly route: ListedRoute; readonly session: Session }): VNode {
  const { method, path, summary, query = {}, body, example } = route;
  const [texts, setTexts] = useState<Texts>({ body: body ? JSON.stringify(example ?? {}, null, 2) : "" });
  const [outcome, setOutcome] = useState<Outcome>();
  const target = targetOf(route, texts);
  const sent = body === undefined ? undefined : texts["body"];
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    setOutcome({ text: "Sending…" });
    setOutcome(await session.send(method, target, sent).catch((error: unknown) => ({ text: errorMessage(error) })));
  };
  const field = (name: string) => ({
    value: texts[name] ?? "",
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      setTexts({ ...texts, [name]: currentTarget.value }),
  });
  const command = { method, url: location.origin + target, body: sent, asksPassword: session.hasPassword };
  return (
    <form onSubmit={send}>
      <h2>{nameOf(route)}</h2>
      <p>{withCode(summary)}</p>
      {path.includes("{id}") && (
        <label>
          id
          <input required {...field("{id}")} />
        </label>
      )}
      {Object.entries(query).map(([name, description]) => (
        <label key={name}>
          {name} <span class="muted">{withCode(description)}</span>
          <input {...field(name)} />
        </label>
      ))}
      {body !== undefined && (
        <label>
          Body <span class="muted">{withCode(body)}</span>
          <textarea rows={10} spellcheck={false} {...field("body")} />
        </label>
      )}
      <div class="bar">
        <button type="submit" class="primary">
          Send
        </button>
        <CopyButton text={curlCommand(command)} about="as curl" />
      </div>
      <div role="status">
        {outcome?.status && <Badge tone={statusTone(outcome.status)}>{outcome.status}</Badge>}
        {outcome && <Code title="Response" value={jsonOrText(outcome.text)} />}
      </div>
    </form>
  );
}

/** Returns the path and the query of a filled form. */
function targetOf({ path, query = {} }: ListedRoute, texts: Texts): string {
  const given = Object.keys(query).filter((name) => texts[name]);
  const search = new URLSearchParams(given.map((name) => [name, texts[name] as string]));
  const target = path.replace("{id}", encodeURIComponent(texts["{id}"] ?? ""));
  return search.size > 0 ? `${target}?${search}` : target;
}
