/** SQL as Postgres has it, completed with its keywords and with the names of a schema. */
import type { CompletionSource } from "@codemirror/autocomplete";
import {
  keywordCompletionSource,
  PostgreSQL,
  type SQLNamespace,
  schemaCompletionSource,
} from "@codemirror/lang-sql";
import { LanguageSupport } from "@codemirror/language";

/** Below the names, even where one is typed in full. */
const keywords = keywordCompletionSource(PostgreSQL, false, (label, type) => ({
  label,
  type,
  boost: -90,
}));

/** None behind a dot, where only names can stand. */
const keywordsAlone: CompletionSource = (context) =>
  context.matchBefore(/\.\w*/) ? null : keywords(context);

export function postgres(schema: SQLNamespace): LanguageSupport {
  const { language } = PostgreSQL;
  const names = schemaCompletionSource({ dialect: PostgreSQL, defaultSchema: "public", schema });
  return new LanguageSupport(language, [
    language.data.of({ autocomplete: keywordsAlone }),
    language.data.of({ autocomplete: names }),
  ]);
}
