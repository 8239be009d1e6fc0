/** The dialogs of kept statements: those that ran, those that are saved, and the name to save one by. */
import { Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { Failure } from "../components/failure";
import { Field, Input } from "../components/field";
import { SearchField } from "../components/search-field";
import {
  deleteStatement,
  forgetRuns,
  MOST_RUN,
  runStatements,
  savedStatements,
  saveStatement,
} from "./statements";

interface ChooseProps {
  project: string;
  /** Puts a statement into the editor. */
  onChoose: (sql: string) => void;
  onClose: () => void;
}

const WIDE = "m-auto max-w-3xl";
const ROW = "flex-1 min-w-0 rounded-md border border-line px-3 py-2 text-left hover:border-ink";

export function HistoryDialog({ project, onChoose, onClose }: ChooseProps) {
  const [runs, setRuns] = useState(() => runStatements(project));
  const [search, setSearch] = useState("");
  const matches = runs.filter(({ sql }) => sql.toLowerCase().includes(search.toLowerCase()));
  return (
    <Dialog
      title="History"
      description={`The last ${MOST_RUN} statements that ran, kept in this browser.`}
      className={WIDE}
      onClose={onClose}
    >
      <SearchField title="Search the history" value={search} onChange={setSearch} />
      <ul data-rows className="flex flex-col gap-2">
        {matches.map(({ sql, time }) => (
          <li key={sql} className="flex">
            <button type="button" className={ROW} onClick={() => onChoose(sql)}>
              <span className="line-clamp-4 font-mono text-sm whitespace-pre-wrap wrap-anywhere">
                {sql}
              </span>
              <span className="text-xs text-ink-soft">{new Date(time).toLocaleString()}</span>
            </button>
          </li>
        ))}
      </ul>
      {matches.length === 0 ? (
        <p className="text-ink-soft">{runs.length ? "None has this in it." : "None yet."}</p>
      ) : null}
      <Button
        variant="danger"
        className="self-start"
        disabled={runs.length === 0}
        onClick={() => {
          forgetRuns(project);
          setRuns([]);
        }}
      >
        Clear the history
      </Button>
    </Dialog>
  );
}

export function SavedDialog({ project, onChoose, onClose }: ChooseProps) {
  const [saved, setSaved] = useState(() => savedStatements(project));
  return (
    <Dialog
      title="Saved statements"
      description="Kept in this browser, for this project."
      className={WIDE}
      onClose={onClose}
    >
      <ul data-rows className="flex flex-col gap-2">
        {saved.map(({ name, sql }) => (
          <li key={name} className="flex items-center gap-2">
            <button type="button" className={ROW} onClick={() => onChoose(sql)}>
              <span className="block font-semibold wrap-anywhere">{name}</span>
              <span className="block truncate font-mono text-sm text-ink-soft">{sql}</span>
            </button>
            <Button
              variant="ghost"
              icon
              aria-label={`Delete ${name}`}
              onClick={() => {
                deleteStatement(project, name);
                setSaved(savedStatements(project));
              }}
            >
              <Trash2 aria-hidden="true" />
            </Button>
          </li>
        ))}
      </ul>
      {saved.length === 0 ? <p className="text-ink-soft">None yet.</p> : null}
    </Dialog>
  );
}

interface SaveProps {
  project: string;
  sql: string;
  onClose: () => void;
}

export function SaveDialog({ project, sql, onClose }: SaveProps) {
  const [name, setName] = useState("");
  const [error, setError] = useState<Error | null>(null);
  const isTaken = savedStatements(project).some((each) => each.name === name.trim());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    try {
      saveStatement(project, name.trim(), sql);
      onClose();
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
  };
  return (
    <Dialog
      title="Save the statements"
      description="They stay in this browser, for this project."
      onClose={onClose}
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label="Name" hint={isTaken ? "Replaces the one of this name." : undefined}>
          {(ids) => (
            <Input
              {...ids}
              required
              pattern=".*\S.*"
              maxLength={100}
              autoComplete="off"
              data-first
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        {error ? <Failure error={error} /> : null}
        <Button type="submit" className="self-start">
          Save
        </Button>
      </form>
    </Dialog>
  );
}
