import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Badge, Code, jsonOrText, statusTone } from "./elements.tsx";
import { type Item, ListView, type PanelProps } from "./list-view.tsx";
import { errorMessage, type ListedRoute } from "./mock-data.ts";

/** Shows the routes of the control API, and a form for one of them, written from its description. */
export function ControlPanel({ place, data }: PanelProps): VNode {
  const open = data.routes.find((route) => nameOf(route) === place.id);
  return (
    <ListView
      place={place}
      label="Routes of the control API"
      items={data.routes.map(itemOf)}
      detail={open && <RouteForm key={nameOf(open)} route={open} />}
    />
  );
}

function nameOf({ method, path }: ListedRoute): string {
  return `${method} ${path}`;
}

function itemOf(route: ListedRoute): Item {
  const title = route.path.replace("/__mock", "");
  return { id: nameOf(route), badge: ["plain", route.method], title, note: withCode(route.summary) };
}

/** Shows what a description has in backticks as code. */
function withCode(text: string): (string | VNode)[] {
  return text.split("`").map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>));
}

interface Outcome {
  readonly status?: number;
  readonly text: string;
}

/** Sends one request to the control API, and shows the response. */
function RouteForm({ route }: { readonly route: ListedRoute }): VNode {
  const { path, summary, query = {}, body, example = {} } = route;
  const [outcome, setOutcome] = useState<Outcome>();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.target as HTMLFormElement);
    setOutcome({ text: "Sending…" });
    setOutcome(await send(route, fields).catch((error: unknown) => ({ text: errorMessage(error) })));
  };
  return (
    <form onSubmit={submit}>
      <h2>{nameOf(route)}</h2>
      <p>{withCode(summary)}</p>
      {path.includes("{id}") && (
        <label>
          id
          <input name="{id}" required />
        </label>
      )}
      {Object.entries(query).map(([name, description]) => (
        <label key={name}>
          {name} <span class="muted">{withCode(description)}</span>
          <input name={name} />
        </label>
      ))}
      {body !== undefined && (
        <label>
          Body <span class="muted">{withCode(body)}</span>
          <textarea name="body" rows={10} spellcheck={false}>
            {JSON.stringify(example, null, 2)}
          </textarea>
        </label>
      )}
      <button type="submit" class="primary">
        Send
      </button>
      <div role="status">
        {outcome?.status && <Badge tone={statusTone(outcome.status)}>{outcome.status}</Badge>}
        {outcome && <Code title="Response" value={jsonOrText(outcome.text)} />}
      </div>
    </form>
  );
}

/** Sends what was typed, and returns what any program would receive. */
async function send({ method, path, query = {}, body }: ListedRoute, fields: FormData): Promise<Outcome> {
  const text = (name: string) => String(fields.get(name) ?? "");
  const given = Object.keys(query).filter((name) => text(name) !== "");
  const search = new URLSearchParams(given.map((name) => [name, text(name)]));
  const target = `${path.replace("{id}", encodeURIComponent(text("{id}")))}?${search}`;
  const sent = { method, headers: { Accept: "application/json" }, body: body === undefined ? null : text("body") };
  const response = await fetch(target, sent);
  return { status: response.status, text: await response.text() };
}
