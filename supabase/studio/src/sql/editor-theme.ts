/** The editor in the colours of the page, light and dark. */
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace";

const frame = EditorView.theme({
  "&": {
    backgroundColor: "var(--raised)",
    border: "1px solid var(--line-strong)",
    borderRadius: "0.375rem",
    fontSize: "0.875rem",
  },
  "&.cm-focused": { outline: "2px solid var(--link)", outlineOffset: "2px" },
  ".cm-scroller": { fontFamily: MONO, maxHeight: "50dvh" },
  ".cm-content, .cm-gutter": { minHeight: "10rem" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-gutters": {
    backgroundColor: "var(--sunk)",
    borderRight: "1px solid var(--line)",
    color: "var(--ink-soft)",
  },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--sunk)",
    outline: "1px solid var(--line-strong)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    border: "1px solid var(--line-strong)",
    color: "var(--ink)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: MONO },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--ink)",
    color: "var(--paper)",
  },
  ".cm-completionDetail": { fontStyle: "normal", opacity: "0.8" },
});

const inks = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--link)", fontWeight: "600" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--warning)" },
  { tag: tags.typeName, color: "var(--danger)" },
  { tag: [tags.lineComment, tags.blockComment], color: "var(--ink-soft)", fontStyle: "italic" },
]);

export const editorTheme = [frame, syntaxHighlighting(inks)];
