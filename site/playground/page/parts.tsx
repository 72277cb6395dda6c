import { javascript } from "@codemirror/lang-javascript";
import { json, jsonLanguage } from "@codemirror/lang-json";
import { syntaxHighlighting } from "@codemirror/language";
import { keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter, highlightCode } from "@lezer/highlight";
import { EditorView, minimalSetup } from "codemirror";
import type { ComponentChildren, VNode } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Panel } from "../link.ts";
import type { PlaygroundProps } from "./app.tsx";
import { editedFields, sampleVersion } from "./content.ts";
import type { Exchange, ShownMessage } from "./session.ts";

/** The number of characters that are shown. */
const MAX_SHOWN = 40_000;

interface BlockProps {
  readonly label: string;
  readonly text: string;
  /** Whether JSON keeps its white space. */
  readonly raw?: boolean;
}

/** Shows JSON or other text; the keyboard can scroll it. */
export function CodeBlock({ label, text, raw = false }: BlockProps): VNode {
  const parts = useMemo(() => highlighted(raw ? text : indented(text)), [text]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard can scroll the block.
    <section class="pg-block" aria-label={label} tabIndex={0}>
      <pre>{parts}</pre>
    </section>
  );
}

function indented(text: string): string {
  const shown =
    text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n… ${text.length - MAX_SHOWN} more characters` : text;
  try {
    const json = JSON.stringify(JSON.parse(shown), null, 2);
    return json.replaceAll(/\[\n\s+([^[\]{}]{1,80})\n\s+\]/g, (_, items) => `[${items.replaceAll(/\n\s+/g, " ")}]`);
  } catch {
    return shown;
  }
}

function highlighted(text: string): readonly ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  const put = (code: string, classes: string) =>
    parts.push(classes === "" ? code : <span class={classes}>{code}</span>);
  highlightCode(text, jsonLanguage.parser.parse(text), classHighlighter, put, () => parts.push("\n"));
  return parts;
}

interface SelectProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly onChange: (value: Value) => void;
}

/** Shows a select whose label is before its value. */
export function Select<Value extends string>({ label, value, options, onChange }: SelectProps<Value>): VNode {
  return (
    <label class="pg-select">
      <span>{label}</span>
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}>
        {options.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Shows a status with the color of its class. */
export function Status({ status }: { readonly status: number }): VNode {
  const kind = status < 400 ? "good" : status < 500 ? "warn" : "bad";
  return <span class={`pg-status pg-${kind}`}>{status}</span>;
}

/** Shows a request and its status on one line. */
export function ExchangeLine({ exchange: { request, response, used } }: { readonly exchange: Exchange }): VNode {
  const { pathname, search } = new URL(request.url);
  return (
    <>
      <Status status={response.status} />
      <code>{`${request.method} ${pathname}${search}`}</code>
      <span class="pg-dim">{used === null ? "not processed by a version" : `processed by ${used}`}</span>
    </>
  );
}

/** Shows the headers of a message. */
export function Headers({ headers }: Pick<ShownMessage, "headers">): VNode {
  return <pre class="pg-headers">{headers.map(([name, value]) => `${name}: ${value}\n`)}</pre>;
}

interface NoteProps {
  readonly kind: "good" | "warn" | "bad";
  readonly title: string;
  readonly text: string | undefined;
  readonly children?: ComponentChildren;
}

/** Shows an error or an explanation. */
export function Note({ kind, title, text, children }: NoteProps): VNode {
  return (
    <div class={`pg-note pg-${kind}`} role={kind === "bad" ? "alert" : undefined}>
      <strong>{title}</strong>
      <p>{text}</p>
      {children}
    </div>
  );
}

interface EditorProps {
  readonly label: string;
  readonly language: "typescript" | "json";
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Edits text with CodeMirror. The Tab key leaves the editor. */
export function Editor(props: EditorProps): VNode {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;
  useLayoutEffect(() => {
    view.current = createView(place.current as HTMLElement, latest);
    return () => view.current?.destroy();
  }, []);
  useLayoutEffect(() => {
    const { state, dispatch } = view.current as EditorView;
    if (state.doc.toString() === props.value) return;
    dispatch.call(view.current, { changes: { from: 0, to: state.doc.length, insert: props.value } });
  }, [props.value]);
  return <div class="pg-editor" ref={place} />;
}

function createView(parent: HTMLElement, latest: { readonly current: EditorProps }): EditorView {
  const { label, language, value } = latest.current;
  return new EditorView({
    parent,
    doc: value,
    extensions: [
      // The page sends on Ctrl+Enter, also from elsewhere; the editor must not insert a line.
      keymap.of([{ key: "Mod-Enter", run: () => true }]),
      minimalSetup,
      language === "json" ? json() : [javascript({ typescript: true }), lineNumbers()],
      syntaxHighlighting(classHighlighter),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": label }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) latest.current.onChange(state.doc.toString());
      }),
    ],
  });
}

interface PanelProps extends PlaygroundProps {
  readonly name: Panel;
  /** The controls beside the button, and those below. */
  readonly controls: ComponentChildren;
  readonly moreControls?: ComponentChildren;
  /** The text of the button. */
  readonly action: string;
  readonly editors: ComponentChildren;
  /** The name of the result. */
  readonly label: string;
  readonly submit: () => unknown;
  /** The result. */
  readonly children: ComponentChildren;
}

/** Shows a panel while its tab is selected: editors, and the result beside them. Ctrl+Enter and ⌘+Enter submit it. */
export function PanelForm(props: PanelProps): VNode {
  const { name, action, submit, playground } = props;
  const onSubmit = async (event: Event) => {
    event.preventDefault();
    await submit();
    reveal(name);
  };
  return (
    <div
      id={`pg-${name}`}
      class="pg-panel"
      role="tabpanel"
      aria-labelledby={`pg-tab-${name}`}
      hidden={playground.content.panel !== name}
    >
      <form onSubmit={(event) => void onSubmit(event)}>
        <div class="pg-bar">
          {props.controls}
          <button type="submit" class="pg-primary">
            {action}
          </button>
        </div>
        {props.moreControls}
        <div class="pg-panes">
          <div class="pg-pane">{props.editors}</div>
          <section class="pg-pane pg-result" aria-label={props.label}>
            {props.children}
          </section>
        </div>
      </form>
    </div>
  );
}

/** Scrolls to a panel's result if it is below the editors, as on a phone. */
export function reveal(panel: Panel): void {
  if (matchMedia("(max-width: 959px)").matches)
    document.querySelector(`#pg-${panel} .pg-result`)?.scrollIntoView({ block: "start" });
}

/** Selects an operation whose example fills the open panel. What the reader edited, or a guide's program, is not one. */
export function Examples({ playground: { content, load } }: PlaygroundProps): VNode {
  const { operations } = sampleVersion(content.version);
  const examples = operations.map(({ name }) => [name, `billing.${name}`] as const);
  const isEdited = editedFields(content, content.panel).length > 0;
  return (
    <Select
      label="Example"
      value={isEdited ? "" : content.operation}
      options={isEdited ? [["", "Custom"], ...examples] : examples}
      onChange={(operation) => load({ operation })}
    />
  );
}
