/**
 * Statements that the browser keeps: the last ones that ran, and those that were saved by a name. Each project has its
 * own, for projects take turns at one address.
 */

export interface RunStatement {
  sql: string;
  time: string;
}

export interface SavedStatement {
  name: string;
  sql: string;
}

export const MOST_RUN = 50;
export const MOST_SAVED = 100;
export const MOST_CHARACTERS = 10_000;

const keyOf = (kind: string, project: string) => `studio-sql-${kind}:${project}`;

function read<T>(kind: string, project: string): T[] {
  return JSON.parse(localStorage.getItem(keyOf(kind, project)) ?? "[]");
}

function write(kind: string, project: string, list: object[]): void {
  localStorage.setItem(keyOf(kind, project), JSON.stringify(list));
}

/** The newest first. */
export const runStatements = (project: string) => read<RunStatement>("history", project);

/** A longer one is not kept, and none where the browser has no room left: it runs all the same. */
export function rememberRun(project: string, sql: string): void {
  if (sql.length > MOST_CHARACTERS) return;
  const others = runStatements(project).filter((each) => each.sql !== sql);
  const list = [{ sql, time: new Date().toISOString() }, ...others].slice(0, MOST_RUN);
  try {
    write("history", project, list);
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "QuotaExceededError")) throw error;
  }
}

export const forgetRuns = (project: string) => write("history", project, []);

/** By name. */
export const savedStatements = (project: string) => read<SavedStatement>("saved", project);

/** Takes the place of the one with this name. Throws where it is too long, or too many are there. */
export function saveStatement(project: string, name: string, sql: string): void {
  if (sql.length > MOST_CHARACTERS)
    throw new Error(`A saved statement has ${MOST_CHARACTERS} characters at most.`);
  const others = savedStatements(project).filter((each) => each.name !== name);
  if (others.length >= MOST_SAVED)
    throw new Error(`${MOST_SAVED} statements are saved, which is the most: delete one first.`);
  const list = [...others, { name, sql }];
  write(
    "saved",
    project,
    list.sort((one, other) => one.name.localeCompare(other.name)),
  );
}

export function deleteStatement(project: string, name: string): void {
  write(
    "saved",
    project,
    savedStatements(project).filter((each) => each.name !== name),
  );
}
