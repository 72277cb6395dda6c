import type { VNode } from "preact";
import { Editor, type EditorProps } from "./editor.tsx";

/** Shows an editor below its label. The editor names itself for screen readers, so they do not read the label twice. */
export function EditorField(props: EditorProps): VNode {
  return (
    <div class="playground-field">
      <span aria-hidden="true">{props.label}</span>
      <Editor {...props} />
    </div>
  );
}
