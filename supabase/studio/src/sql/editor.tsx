/** The field for statements, by CodeMirror. It is loaded with the SQL page alone. */
import { autocompletion } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import type { SQLNamespace } from "@codemirror/lang-sql";
import { bracketMatching } from "@codemirror/language";
import { Compartment, EditorState, Prec } from "@codemirror/state";
import { EditorView, keymap, lineNumbers, type ViewUpdate } from "@codemirror/view";
import { useEffect, useEffectEvent, useRef } from "react";
import { editorTheme } from "./editor-theme";
import { postgres } from "./postgres";

interface Props {
  label: string;
  value: string;
  /** What names are completed with. */
  names: SQLNamespace;
  onChange: (value: string) => void;
  /** The selected text, "" where none is. */
  onSelect: (text: string) => void;
  onRun: () => void;
  onMeasure: () => void;
}

export function Editor({ label, value, names, onChange, onSelect, onRun, onMeasure }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const completed = useRef(new Compartment());
  const update = useEffectEvent(({ docChanged, selectionSet, state }: ViewUpdate) => {
    if (docChanged) onChange(state.doc.toString());
    const { from, to } = state.selection.main;
    if (docChanged || selectionSet) onSelect(state.sliceDoc(from, to));
  });
  const run = useEffectEvent(onRun);
  const measure = useEffectEvent(onMeasure);
  const written = useEffectEvent(() => value);
  useEffect(() => {
    const bind = (key: string, act: () => void) => ({
      key,
      run: () => {
        act();
        return true;
      },
    });
    const made = new EditorView({
      parent: place.current ?? undefined,
      state: EditorState.create({
        doc: written(),
        extensions: [
          Prec.highest(keymap.of([bind("Mod-Enter", run), bind("Mod-Shift-Enter", measure)])),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          history(),
          lineNumbers(),
          bracketMatching(),
          autocompletion({ icons: false }),
          completed.current.of([]),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({
            "aria-label": label,
            "aria-keyshortcuts": "Control+Enter Control+Shift+Enter",
            "data-filter": "",
          }),
          EditorView.updateListener.of(update),
          editorTheme,
        ],
      }),
    });
    view.current = made;
    return () => made.destroy();
  }, [label]);
  useEffect(() => {
    view.current?.dispatch({ effects: completed.current.reconfigure(postgres(names)) });
  }, [names]);
  useEffect(() => {
    const doc = view.current?.state.doc;
    if (doc && doc.toString() !== value)
      view.current?.dispatch({ changes: { from: 0, to: doc.length, insert: value } });
  }, [value]);
  return <div ref={place} />;
}
