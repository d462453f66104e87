// The editor of a cell: CodeMirror with Python's colours and nothing that a
// cell of ten lines does not need.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, Prec } from "@codemirror/state";
import { drawSelection, EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";

// The same four colours as on the page (site/static/course.css).
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.bool, tags.null], color: "var(--code-word)", fontWeight: "600" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: [tags.definition(tags.function(tags.variableName)), tags.definition(tags.className)], color: "var(--code-name)" },
  { tag: tags.comment, color: "var(--muted)", fontStyle: "italic" },
]);

const look = EditorView.theme({
  "&": { fontSize: "0.9375rem", color: "var(--ink)", background: "var(--paper)" },
  "&.cm-focused": { outline: "3px solid var(--link)", outlineOffset: "2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5", overflowX: "auto" },
  ".cm-content": { padding: "0.9em 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 1.1em" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--shade)",
  },
});

/** Put an editor into `parent`.  `keys` maps names of keys, such as "Shift-Enter", to functions. */
export function edit(parent, { text, label, keys, onChange }) {
  const bindings = Object.entries(keys).map(([key, act]) => ({ key, run: () => (act(), true) }));
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        Prec.highest(keymap.of(bindings)),
        history(),
        drawSelection(),
        indentOnInput(),
        indentUnit.of("    "),
        EditorState.tabSize.of(4),
        bracketMatching(),
        python(),
        syntaxHighlighting(colours),
        look,
        // Tab goes on to the next control, as everywhere on the page.
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        EditorView.updateListener.of((update) => update.docChanged && onChange(update.state.doc.toString())),
      ],
    }),
  });
  return {
    focus: () => view.focus(),
    text: () => view.state.doc.toString(),
    remove: () => view.destroy(),
  };
}
