import { render, type VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Credential, PlaygroundData } from "../data.ts";
import { sampleVersion } from "../data.ts";
import {
  changedContent,
  exampleContent,
  formatLink,
  MAX_LINK,
  PANELS,
  type Panel,
  type PlaygroundContent,
  readLink,
} from "../link.ts";
import { PRESETS } from "../samples.ts";
import { CodePanel } from "./code-panel.tsx";
import { MockBar } from "./mock-bar.tsx";
import { Select } from "./parts.tsx";
import { RequestPanel } from "./request-panel.tsx";
import { MockSession } from "./session.ts";
import { type Verifier, WebhookPanel } from "./webhook-panel.tsx";

export interface PlaygroundOptions {
  readonly data: PlaygroundData;
  /** Each version's `verifyWebhook`. */
  readonly verifiers: Readonly<Record<string, Verifier>>;
  /** The URL of the script that runs programs. */
  readonly workerUrl: string;
  readonly styleUrl: string;
}

type ExampleSelection = Partial<Pick<PlaygroundContent, "version" | "operation" | "preset" | "event">>;

/** The state and functions that the page's parts share. */
export interface Playground extends PlaygroundOptions {
  readonly session: MockSession;
  readonly content: PlaygroundContent;
  /** The reasons why parts of the link are not used. */
  readonly problems: readonly string[];
  readonly edit: (changes: Partial<PlaygroundContent>) => void;
  /** Loads an example. Asks first if that replaces what the reader edited in the open panel; keeps edits in others. */
  readonly load: (selection: ExampleSelection, then?: (content: PlaygroundContent) => unknown) => void;
  /** Announces what happened, including to screen readers, and shows the mock's new state. */
  readonly announce: (text: string) => void;
}

/** Props for the page's parts. */
export interface PlaygroundProps {
  readonly playground: Playground;
}

/** Loads the style, and shows the playground in an element. Returns a function that removes both. */
export function mount(element: HTMLElement, options: PlaygroundOptions): () => void {
  const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: options.styleUrl });
  style.addEventListener("load", () => style.isConnected && render(<App {...options} />, element));
  document.head.append(style);
  return () => {
    style.remove();
    render(null, element);
  };
}

const TITLES: Readonly<Record<Panel, string>> = { request: "Request", code: "Code", webhook: "Webhook" };
/** The fields of each panel that a reader writes, with their names in sentences. */
const EDITABLE: Readonly<Record<Panel, Readonly<Partial<Record<keyof PlaygroundContent, string>>>>> = {
  request: { method: "method", path: "path", headers: "headers", body: "body" },
  code: { code: "program" },
  webhook: { data: "data" },
};
/** The delay between an edit and the address update, in milliseconds. Browsers limit how often the address can change. */
const SAVE_DELAY = 300;

/** A question whether to replace what the reader edited. */
interface Question {
  readonly text: string;
  readonly replace: () => void;
}

function App(options: PlaygroundOptions): VNode {
  const { data } = options;
  const session = useMemo(() => new MockSession(data.endpointId), []);
  const read = () => {
    const shared = readLink(takeUnsaved() ?? location.hash.slice(1), data);
    prepare(session, data, shared.content);
    return shared;
  };
  const [{ content, problems }, setShared] = useState(read);
  const [status, setStatus] = useState({ text: "", revision: 0 });
  const [question, setQuestion] = useState<Question>();
  const latest = useRef(content);
  latest.current = content;
  const show = (next: PlaygroundContent) => setShared((shared) => ({ ...shared, content: next }));
  const announce = (text: string) => setStatus(({ revision }) => ({ text, revision: revision + 1 }));
  useAddress(data, content, announce, () => {
    const edits = editsOf(data, latest.current, PANELS);
    const replace = () => setShared(read());
    if (edits.length === 0) replace();
    else setQuestion({ text: `The link replaces your ${list(edits)}.`, replace });
  });
  const load: Playground["load"] = (selection, then) => {
    const { next, replaced } = loadExample(data, content, selection);
    const replace = () => {
      prepare(session, data, next);
      show(next);
      then?.(next);
    };
    if (replaced.length === 0) replace();
    else setQuestion({ text: `The example replaces the ${list(replaced)} that you edited.`, replace });
  };
  const playground: Playground = {
    ...options,
    session,
    content,
    problems,
    announce,
    load,
    edit: (changes) => {
      show({ ...latest.current, ...withExampleProgram(data, latest.current, changes) });
      // A message about one panel does not apply to another.
      if (changes.panel !== undefined) announce("");
    },
  };
  const close = () => {
    setQuestion(undefined);
    // If the link was rejected, the address returns to the current content.
    show({ ...latest.current });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: A shortcut for the button of the open panel.
    <div class="pg" onKeyDown={submit}>
      <Toolbar playground={playground} />
      <RequestPanel playground={playground} />
      <CodePanel playground={playground} />
      <WebhookPanel playground={playground} />
      <MockBar playground={playground} status={status.text} />
      {question && <Ask question={question} close={close} />}
    </div>
  );
}

function submit(event: KeyboardEvent): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  (event.currentTarget as HTMLElement).querySelector<HTMLFormElement>(".pg-panel:not([hidden]) form")?.requestSubmit();
}

/** Makes the release that a preset is about, unless it was made. */
function prepare(session: MockSession, { created }: PlaygroundData, { preset, version }: PlaygroundContent): void {
  const needsRelease = version === created && PRESETS.find(({ name }) => name === preset)?.release;
  if (needsRelease && session.stateOf(created) === "Unknown") session.advance();
}

/** Adds the version's example program to a selected version, unless the reader edited the program. */
function withExampleProgram(
  data: PlaygroundData,
  content: PlaygroundContent,
  changes: Partial<PlaygroundContent>,
): Partial<PlaygroundContent> {
  const { version } = changes;
  if (version === undefined || editedFields(data, content, "code").length > 0) return changes;
  return { code: exampleContent(data, { ...content, version }).code, ...changes };
}

/** Returns the content with another example, and the names of the edited fields that it replaces. */
function loadExample(data: PlaygroundData, content: PlaygroundContent, selection: ExampleSelection) {
  const { panel } = content;
  const example = exampleContent(data, { ...content, preset: "", ...selection });
  const others = PANELS.filter((each) => each !== panel).flatMap((each) => editedFields(data, content, each));
  const kept = Object.fromEntries([...others, "panel"].map((name) => [name, content[name as "body"]]));
  const { event, data: eventData } = example;
  const isEvent = selection.event !== undefined;
  const next: PlaygroundContent = isEvent ? { ...content, event, data: eventData } : { ...example, ...kept };
  const replaced = editedFields(data, content, panel).filter((name) => content[name] !== next[name]);
  return { next, replaced: replaced.map((name) => EDITABLE[panel][name] ?? name) };
}

/** The storage key for edits that were not in the address yet when the page was left. A reload uses the older address. */
const UNSAVED = "playground";

/** Returns the edits that were kept when this address was left; undefined for another address. */
function takeUnsaved(): string | undefined {
  try {
    const [href, fragment] = JSON.parse(sessionStorage.getItem(UNSAVED) ?? "[]");
    sessionStorage.removeItem(UNSAVED);
    return href === location.href ? fragment : undefined;
  } catch {
    // The browser does not allow storage.
    return undefined;
  }
}

/** Keeps the content in the address, so that it survives a reload, and reads it when a link changes it. */
function useAddress(
  data: PlaygroundData,
  content: PlaygroundContent,
  announce: (text: string) => void,
  onLink: () => void,
): void {
  const saved = useRef(location.hash);
  const follow = useRef(onLink);
  follow.current = onLink;
  useEffect(() => {
    const fragmentOf = () => formatLink(changedContent(data, content));
    const save = () => {
      const fragment = fragmentOf();
      if (fragment.length > MAX_LINK)
        return announce(`The content has more than ${MAX_LINK} characters: a reload loses your last edits.`);
      if (`#${fragment}` === saved.current || fragment === saved.current) return;
      history.replaceState(history.state, "", fragment === "" ? location.pathname + location.search : `#${fragment}`);
      saved.current = location.hash;
    };
    const timer = setTimeout(save, SAVE_DELAY);
    const keep = () => {
      const fragment = fragmentOf();
      if (fragment.length <= MAX_LINK) sessionStorage.setItem(UNSAVED, JSON.stringify([location.href, fragment]));
    };
    addEventListener("pagehide", keep);
    return () => {
      clearTimeout(timer);
      removeEventListener("pagehide", keep);
    };
  }, [content]);
  useEffect(() => {
    const onHashChange = () => {
      if (location.hash === saved.current) return;
      saved.current = location.hash;
      follow.current();
    };
    addEventListener("hashchange", onHashChange);
    return () => removeEventListener("hashchange", onHashChange);
  }, []);
}

function editedFields(
  data: PlaygroundData,
  content: PlaygroundContent,
  panel: Panel,
): readonly (keyof PlaygroundContent)[] {
  const example = exampleContent(data, content);
  const names = Object.keys(EDITABLE[panel]) as (keyof PlaygroundContent)[];
  return names.filter((name) => content[name] !== example[name]);
}

function editsOf(data: PlaygroundData, content: PlaygroundContent, panels: readonly Panel[]): readonly string[] {
  return panels.flatMap((panel) => editedFields(data, content, panel).map((name) => EDITABLE[panel][name] ?? name));
}

function list(names: readonly string[]): string {
  return names.length === 1 ? String(names[0]) : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function Ask({ question, close }: { readonly question: Question; readonly close: () => void }): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="pg-card" aria-labelledby="pg-question" onClose={close}>
      <h2 id="pg-question">Replace your edits?</h2>
      <p>{question.text}</p>
      <div class="pg-actions">
        <button type="button" onClick={close}>
          Keep mine
        </button>
        <button
          type="button"
          class="pg-primary"
          onClick={() => {
            close();
            question.replace();
          }}
        >
          Replace
        </button>
      </div>
    </dialog>
  );
}

const TOKENS: readonly (readonly [Credential, string])[] = [
  ["oat", "Organization token"],
  ["pat", "Personal token"],
  ["oidc", "OpenID Connect token"],
  ["expired", "Expired token"],
  ["none", "No token"],
];

/** Shows the tabs, and the version and token that requests and programs share. */
function Toolbar({ playground }: PlaygroundProps): VNode {
  const { data, session, content, edit, announce } = playground;
  const shown = session.versions.includes(content.version) || content.version === "" ? [] : [content.version];
  const versions = [...shown, ...session.versions].map((name) => [name, `${name} · ${session.stateOf(name)}`] as const);
  const copy = async () => {
    const url = new URL(location.href);
    url.hash = formatLink(changedContent(data, content));
    const { length } = url.hash.slice(1);
    if (length > MAX_LINK)
      return announce(`No link was copied: it would have ${length} characters, and at most ${MAX_LINK} are read.`);
    try {
      await navigator.clipboard.writeText(url.href);
      announce("The link to this content is copied.");
    } catch {
      announce("The browser does not allow copying. The link is in the address bar.");
    }
  };
  return (
    <div class="pg-toolbar">
      <h1>Playground</h1>
      <Tabs selected={content.panel} select={(panel) => edit({ panel })} />
      <div class="pg-shared">
        <Select
          label="Version"
          value={content.version}
          options={[...versions, ["", "No version: Current answers"]]}
          onChange={(version) => edit({ version })}
        />
        <Select
          label="Token"
          value={content.credential}
          options={TOKENS}
          onChange={(credential) => edit({ credential })}
        />
        <Select
          label="Scopes"
          value={content.scopes === "all" ? "all" : content.scopes.join(" ")}
          options={scopeOptions(playground)}
          onChange={(list) => edit({ scopes: list === "all" ? "all" : list.split(" ").filter(Boolean) })}
        />
        <button type="button" onClick={() => void copy()}>
          Copy link
        </button>
      </div>
    </div>
  );
}

/** Shows the tabs. The arrow keys select one (WAI-ARIA tabs pattern). */
function Tabs({ selected, select }: { readonly selected: Panel; readonly select: (panel: Panel) => void }): VNode {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const panel = PANELS.at((PANELS.indexOf(selected) + step) % PANELS.length) as Panel;
    select(panel);
    document.getElementById(`pg-tab-${panel}`)?.focus();
  };
  return (
    <div class="pg-tabs" role="tablist" aria-label="Playground" onKeyDown={onKeyDown}>
      {PANELS.map((panel) => (
        <button
          key={panel}
          type="button"
          role="tab"
          id={`pg-tab-${panel}`}
          aria-selected={panel === selected}
          aria-controls={`pg-${panel}`}
          tabIndex={panel === selected ? 0 : -1}
          onClick={() => select(panel)}
        >
          {TITLES[panel]}
        </button>
      ))}
    </div>
  );
}

/** Returns the scope choices: the current scopes, the example's scopes, all, none, and each single scope. */
function scopeOptions({ data, content }: Playground): readonly (readonly [string, string])[] {
  const { scopes } = sampleVersion(data, content.version);
  const lists = [content.scopes, exampleContent(data, content).scopes].filter((list) => list !== "all");
  const named = [...lists.map((list) => list.join(" ")), ...scopes].filter(Boolean);
  const single = [...new Set(named)].map((list) => [list, list.replaceAll(" ", ", ")] as const);
  return [["all", "All scopes"], ["", "No scopes"], ...single];
}
