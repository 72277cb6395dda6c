import { Fragment, render, type VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Credential } from "../data.ts";
import { MAX_LINK, PANELS, type Panel, type PlaygroundContent } from "../link.ts";
import { CodePanel } from "./code-panel.tsx";
import {
  editedFields,
  exampleContent,
  linkTo,
  readLink,
  type Selection,
  type SharedContent,
  sampleVersion,
  withExample,
  withoutReleases,
  withStep,
} from "./content.ts";
import { MockBar } from "./mock-bar.tsx";
import { Select } from "./parts.tsx";
import { RequestPanel } from "./request-panel.tsx";
import { MockSession } from "./session.ts";
import { WebhookPanel } from "./webhook-panel.tsx";

/** The state and functions that the page's parts share. */
export interface Playground extends SharedContent {
  readonly session: MockSession;
  readonly edit: (changes: Partial<PlaygroundContent>) => void;
  /** Loads an example. Asks first if that replaces what the reader edited in the open panel; keeps edits in others. */
  readonly load: (selection: Selection, then?: (content: PlaygroundContent) => void) => void;
  /** Starts a new mock, and removes the results of the old one. */
  readonly reset: () => void;
  /** Announces what happened, including to screen readers, and shows the mock's new state. */
  readonly announce: Announce;
}

type Announce = (text: string) => void;

/** Props for the page's parts. */
export interface PlaygroundProps {
  readonly playground: Playground;
}

/** Loads the style, and shows the playground in an element. Returns a function that removes both. */
export function mountPlayground(element: HTMLElement): () => void {
  const href = new URL("playground.css", import.meta.url).href;
  const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  style.addEventListener("load", () => style.isConnected && render(<App />, element));
  document.head.append(style);
  return () => {
    style.remove();
    render(null, element);
  };
}

/** The delay between an edit and the address update, in milliseconds. Browsers limit how often the address can change. */
const SAVE_DELAY = 300;

/** A question whether to replace what the reader edited. */
interface Question {
  readonly text: string;
  readonly replace: () => void;
}

function App(): VNode {
  const session = useMemo(() => new MockSession(), []);
  const [shared, setShared] = useState(() => ({ ...readLink(location.hash.slice(1)), key: 0 }));
  const [status, setStatus] = useState({ text: "" });
  const [question, setQuestion] = useState<Question>();
  const { content, problems, key } = shared;
  const latest = useRef(content);
  latest.current = content;
  /** The content before the reader edited it. */
  const opened = useMemo(() => content, [key]);
  useMemo(() => session.release(Number(content.releases)), [content.releases]);
  const show = (next: PlaygroundContent) => setShared((before) => ({ ...before, content: next }));
  // A new key removes results.
  const open = (link: SharedContent) => setShared((before) => ({ ...link, key: before.key + 1 }));
  const announce: Announce = (text) => setStatus({ text });
  const ask = (what: string, edits: readonly string[], replace: () => void) => {
    if (edits.length === 0) replace();
    else setQuestion({ text: `The ${what} replaces what you edited: ${edits.join(", ")}.`, replace });
  };
  const link = useAddress(content, announce, (fragment) => {
    if (history.state?.isStep) return show(withStep(latest.current, fragment));
    const fields = PANELS.flatMap((panel) => editedFields(latest.current, panel));
    const edits = fields.filter((name) => latest.current[name] !== opened[name]);
    ask("link", edits, () => open(readLink(fragment)));
  });
  const playground: Playground = {
    session,
    content,
    problems,
    announce,
    load: (selection, then) => {
      const next = withExample(content, selection);
      const edits = editedFields(content, content.panel).filter((name) => content[name] !== next[name]);
      ask("example", edits, () => {
        session.release(Number(next.releases));
        show(next);
        then?.(next);
      });
    },
    edit: (changes) => {
      const before = latest.current;
      const next = { ...before, ...changes };
      // A program that the reader has not edited imports the selected version.
      const isExample = changes.version !== undefined && editedFields(before, "code").length === 0;
      show({ ...next, ...(isExample && { code: exampleContent(next).code }) });
      // A message about one panel does not apply to another.
      if (changes.panel !== undefined) announce("");
    },
    reset: () => {
      session.reset();
      open({ content: withoutReleases(content), problems: [] });
      announce("The mock is reset.");
    },
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: A shortcut for the button of the open panel.
    <div class="pg" onKeyDown={submit}>
      <Toolbar playground={playground} link={link} />
      <Fragment key={key}>
        <RequestPanel playground={playground} isFirst={key === 0} />
        <CodePanel playground={playground} />
        <WebhookPanel playground={playground} />
      </Fragment>
      <MockBar playground={playground} status={status.text} />
      {question && <Ask question={question} close={() => setQuestion(undefined)} />}
    </div>
  );
}

function submit(event: KeyboardEvent): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  (event.currentTarget as HTMLElement).querySelector<HTMLFormElement>(".pg-panel:not([hidden]) form")?.requestSubmit();
}

const stepOf = ({ panel, operation, preset }: PlaygroundContent) => `${panel} ${operation} ${preset}`;

/**
 * Keeps the content in the address, so that it survives a reload, and reports a link or a step in the history that changes it.
 * Another tab or example is a step; an edit is not.
 */
function useAddress(content: PlaygroundContent, announce: Announce, onLink: (fragment: string) => void): string {
  const link = linkTo(content);
  const step = stepOf(content);
  const saved = useRef(location.hash.slice(1));
  const savedStep = useRef(step);
  const follow = useRef(onLink);
  follow.current = onLink;
  useEffect(() => {
    const save = () => {
      const isStep = savedStep.current !== step;
      savedStep.current = step;
      if (link === saved.current && history.state?.isStep) return;
      if (link.length > MAX_LINK)
        return announce(`The content has more than ${MAX_LINK} characters: a reload loses your last edits.`);
      const url = link === "" ? location.pathname + location.search : `#${link}`;
      history[isStep ? "pushState" : "replaceState"]({ ...history.state, isStep: true }, "", url);
      saved.current = location.hash.slice(1);
    };
    const timer = setTimeout(save, SAVE_DELAY);
    addEventListener("pagehide", save);
    return () => {
      clearTimeout(timer);
      removeEventListener("pagehide", save);
    };
  });
  useEffect(() => {
    history.replaceState({ ...history.state, isStep: true }, "");
    const onHashChange = () => {
      const fragment = location.hash.slice(1);
      const isNew = fragment !== saved.current;
      saved.current = fragment;
      savedStep.current = stepOf(readLink(fragment).content);
      if (isNew) follow.current(fragment);
    };
    addEventListener("hashchange", onHashChange);
    return () => removeEventListener("hashchange", onHashChange);
  }, []);
  return link;
}

function Ask({ question, close }: { readonly question: Question; readonly close: () => void }): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const onClose = () => {
    close();
    if (dialog.current?.returnValue === "replace") question.replace();
  };
  return (
    <dialog ref={dialog} class="pg-card" aria-labelledby="pg-question" onClose={onClose}>
      <h2 id="pg-question">Replace your edits?</h2>
      <p>{question.text}</p>
      <form method="dialog" class="pg-actions">
        <button type="submit">Keep mine</button>
        <button type="submit" class="pg-primary" value="replace">
          Replace
        </button>
      </form>
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
function Toolbar({ playground, link }: PlaygroundProps & { readonly link: string }): VNode {
  const { session, content, edit, announce } = playground;
  const [isCopied, setCopied] = useState(false);
  const versions = [...new Set([...session.versions, content.version])].filter(Boolean);
  const copy = async () => {
    if (link.length > MAX_LINK)
      return announce(`The link was not copied: it would have ${link.length} characters; the maximum is ${MAX_LINK}.`);
    try {
      await navigator.clipboard.writeText(new URL(`#${link}`, location.href).href);
      announce("The link to this content is copied.");
      setCopied(true);
      setTimeout(setCopied, 2_000, false);
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
          options={[
            ...versions.map((name) => [name, `${name} · ${session.stateOf(name)}`] as const),
            ["", "No version (Current)"],
          ]}
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
          value={content.scopes}
          options={scopeOptions(playground)}
          onChange={(scopes) => edit({ scopes })}
        />
        <button type="button" onClick={() => void copy()}>
          {isCopied ? "Copied" : "Copy link"}
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
          {panel.replace(/^./, (first) => first.toUpperCase())}
        </button>
      ))}
    </div>
  );
}

/** Returns the scope choices: all, none, the current scopes, the example's scopes, and each single scope. */
function scopeOptions({ content }: Playground): readonly (readonly [string, string])[] {
  const { scopes } = sampleVersion(content.version);
  const lists = [content.scopes, exampleContent(content).scopes, ...scopes];
  const named = [...new Set(lists)].filter((list) => list !== "all" && list !== "");
  return [
    ["all", "All scopes"],
    ["", "No scopes"],
    ...named.map((list) => [list, list.replaceAll(" ", ", ")] as const),
  ];
}
