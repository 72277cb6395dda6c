import { javascript } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import { keymap, lineNumbers } from "@codemirror/view";
import { EditorView, minimalSetup } from "codemirror";
import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { editorStyle } from "./editor-style.ts";

/** The properties of an editor. */
export interface EditorProps {
  readonly label: string;
  readonly language: "javascript" | "json";
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Runs on Ctrl+Enter or Cmd+Enter. */
  readonly onSubmit: () => void;
}

/** Edits text with CodeMirror. The Tab key leaves the editor. */
export function Editor(props: EditorProps): VNode {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;
  useLayoutEffect(() => {
    const created = createView(place.current as HTMLElement, latest);
    view.current = created;
    return () => created.destroy();
  }, []);
  useLayoutEffect(() => replaceText(view.current as EditorView, props.value), [props.value]);
  return <div class="playground-editor" ref={place} />;
}

function createView(parent: HTMLElement, latest: { readonly current: EditorProps }): EditorView {
  const { label, language, value } = latest.current;
  const submit = () => {
    latest.current.onSubmit();
    return true;
  };
  return new EditorView({
    parent,
    doc: value,
    extensions: [
      keymap.of([{ key: "Mod-Enter", run: submit }]),
      minimalSetup,
      language === "json" ? json() : [javascript(), lineNumbers()],
      editorStyle,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": label }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) latest.current.onChange(state.doc.toString());
      }),
    ],
  });
}

function replaceText(view: EditorView, text: string): void {
  const { doc } = view.state;
  if (doc.toString() !== text) view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
}
