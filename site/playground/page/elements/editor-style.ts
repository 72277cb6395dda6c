import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";
import { EditorView } from "codemirror";

const highlighting = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-literal)" },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-name)" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: "var(--code-function)" },
  { tag: tags.comment, color: "var(--color-text-aside)" },
]);

const frame = EditorView.theme({
  "&": { color: "var(--color-text)", backgroundColor: "var(--calm-back)", fontSize: "0.84375rem" },
  "&.cm-focused": { outline: "2px solid var(--color-focus-outline)", outlineOffset: "-1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--color-text)", padding: "0.625rem 0" },
  ".cm-cursor": { borderLeftColor: "var(--color-text)" },
  ".cm-gutters": { color: "var(--color-text-aside)", backgroundColor: "var(--calm-back)", border: "none" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--code-selection) !important",
  },
});

/** The look of an editor: the colors of the site, light and dark. */
export const editorStyle = [frame, syntaxHighlighting(highlighting)];
