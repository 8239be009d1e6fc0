"""Every command: those that work, those that the official CLI answers, and those that localbase has no use for.

The official CLI's help is the list (3.1.0); a test walks it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verb:
    """A command that works. `example` is what follows the program's name in its help."""

    words: str
    summary: str
    example: str
    # The words of the command that does this one's work too.
    shared: str = ""

    @property
    def module(self) -> str:
        """Its module: its group's, or of the large group `db` its own."""
        words = self._names
        return ".".join(("localbase.cli.verbs", *words[: 2 if words[0] == "db" else 1]))

    @property
    def name(self) -> str:
        """Return what its functions are called by: `run_NAME(call)`, and for options `NAME_arguments(parser)`."""
        return self._names[-1]

    @property
    def _names(self) -> list[str]:
        return (self.shared or self.words).replace("-", "_").split()


@dataclass(frozen=True, slots=True)
class Official:
    """A command, with all below it, that is handed to the official CLI as it is."""

    words: str
    summary: str


@dataclass(frozen=True, slots=True)
class Instead:
    """A command, with all below it, that localbase does not have. `instead` says what does."""

    words: str
    summary: str
    instead: str


Row = Verb | Official | Instead

# Words that mean others.
ALIASES = {"migrations": "migration"}

# Words of other tools, and what does that here.
MEANT = {
    **dict.fromkeys(
        ("ps", "info", "url", "urls", "keys", "env"),
        "`{program} status` shows what runs, with addresses and keys.",
    ),
    **dict.fromkeys(("studio", "open", "dashboard", "ui"), "`{program} status` shows Studio's address."),
    **dict.fromkeys(
        ("mail", "mailbox", "inbox", "inbucket", "mailpit"), "`{program} status` shows the mailbox's address."
    ),
    **dict.fromkeys(
        ("psql", "shell", "console", "connect", "execute", "exec", "sql", "run"),
        "`{program} db query SQL` runs a statement; psql takes the database's address of `{program} status`.",
    ),
    **dict.fromkeys(("up", "serve", "dev", "run-all"), "`{program} start` starts everything."),
    "down": "`{program} stop` ends the stack, and keeps its data.",
    "restart": "`{program} stop`, then `{program} start`.",
    "invoke": "A function is called at its address: `{program} status` has FUNCTIONS_URL.",
    "call": "A function is called at its address: `{program} status` has FUNCTIONS_URL.",
    "version": "`{program} --version` shows it.",
    "migrate": "`{program} migration up` applies new migrations.",
    "branch": "A second worktree of the project has a stack, and a database, of its own.",
    "branches": "A second worktree of the project has a stack, and a database, of its own.",
    "types": "`{program} gen types` makes them.",
    "test": "`{program} test db` runs the tests of supabase/tests.",
    "backup": "`{program} snapshot save NAME` keeps a copy of all data.",
}
# Commands that change what somebody has: of these no letters alone are a proposal.
CHANGES_DATA = (
    *("db push", "db reset", "functions delete", "functions deploy", "migration down", "migration repair"),
    *(
        "migration squash",
        "migration up",
        "secrets unset",
        "seed buckets",
        "snapshot delete",
        "snapshot load",
    ),
    *("stop", "storage mv", "storage rm"),
)

# What is said of commands that have others below them.
GROUPS = {
    "completion": "Completion of commands for a shell",
    "db": "The database",
    "db schema": "The schema as files that say how it is to be",
    "functions": "Functions",
    "gen": "Generated code and keys",
    "inspect": "What the database is busy with",
    "inspect db": "Figures of the database",
    "migration": "Migrations",
    "secrets": "Secrets of functions",
    "seed": "Data to begin with",
    "snapshot": "Snapshots of database, files, users and mails",
    "storage": "Files in Storage's buckets",
    "test": "Tests of the database",
}

# `inspect db …`: each name with what it shows.
FIGURES = {
    "db-stats": "Sizes and cache hit rates",
    "replication-slots": "Replication slots and how far they lag",
    "locks": "Exclusive locks that are held",
    "blocking": "Statements that wait for others",
    "outliers": "Statements by the time that they took in all",
    "calls": "Statements by the number of calls",
    "index-stats": "Sizes and uses of indexes",
    "collation-drift": "Indexes that were made with another version of their collation",
    "long-running-queries": "Statements that run for more than five minutes",
    "bloat": "An estimate of the space that dead rows take",
    "role-stats": "Connections and settings of roles",
    "vacuum-stats": "When tables were vacuumed, and whether they should be",
    "table-stats": "Sizes and uses of tables",
    "traffic-profile": "Reads and writes of tables",
    "toast-sizes": "Sizes of values that are stored apart",
    "xid-age": "How far tables are from transaction id wraparound",
}

# The official CLI's older names of figures.
OLDER_FIGURES = {
    "cache-hit": "db-stats",
    "index-usage": "index-stats",
    "index-sizes": "index-stats",
    "table-sizes": "table-stats",
    "unused-indexes": "index-stats",
    "table-record-counts": "table-stats",
    "seq-scans": "table-stats",
    "role-configs": "role-stats",
    "role-connections": "role-stats",
}

ROWS: tuple[Row, ...] = (
    Verb("start", "Start the stack", "start -x realtime,storage-api"),
    Verb("stop", "Stop the stack; its data stays", "stop"),
    Verb("status", "Show addresses and keys", "status -o env"),
    Verb("db reset", "Throw all local data away and begin anew", "db reset --no-seed"),
    Verb("db diff", "Show how the database differs from the migrations", "db diff -f add_gift_notes"),
    Verb("db dump", "Write schema or data as SQL", "db dump -f schema.sql"),
    Verb("db push", "Apply the migrations to a database", "db push --db-url postgresql://… --dry-run"),
    Verb("db pull", "Write a database's schema as a migration", "db pull --db-url postgresql://…"),
    Verb("db lint", "Look for mistakes in functions", "db lint --fail-on error"),
    Verb("db start", "Start Postgres alone", "db start"),
    Verb("db roles", "Print what a Postgres of your own needs first", "db roles --print"),
    Verb("db query", "Run one SQL command", "db query --file report.sql --output json"),
    Verb("db advisors", "Look for weaknesses and slow spots", "db advisors --type security --fail-on warn"),
    Instead(
        "db schema declarative",
        "Write or read the schema as files",
        "name the files in [db.migrations] schema_paths; `db diff -f NAME` writes a migration, `db dump` the files.",
    ),
    Verb("migration new", "Make an empty migration", "migration new add_gift_notes"),
    Verb("migration up", "Apply pending migrations to the running database", "migration up --include-all"),
    Verb("migration list", "List local and applied migrations", "migration list"),
    Verb(
        "migration repair",
        "Mark a migration as applied or not",
        "migration repair 20260101000000 --status reverted",
    ),
    Verb("migration squash", "Make one migration of several", "migration squash --version 20260101000000"),
    Verb("migration down", "Begin anew without the last migrations", "migration down --last 1"),
    Verb(
        "migration fetch", "Write the applied migrations as files", "migration fetch --db-url postgresql://…"
    ),
    Verb("snapshot save", "Copy all local data under a name", "snapshot save before-checkout"),
    Verb("snapshot load", "Bring saved data back", "snapshot load before-checkout"),
    Verb("snapshot list", "List the snapshots", "snapshot list -o json"),
    Verb("snapshot delete", "Delete a snapshot", "snapshot delete before-checkout"),
    Verb("functions new", "Make a function", "functions new hello"),
    Verb("functions list", "List the project's functions", "functions list"),
    Verb("functions serve", "Show the running stack's functions at work", "functions serve"),
    Verb("functions deploy", "Deploy Python functions to Google Cloud", "functions deploy hello --dry-run"),
    Verb("functions logs", "Show what functions have logged", "functions logs hello -f"),
    Official("functions delete", "Delete a function from the hosted platform"),
    Official("functions download", "Fetch a function's source from the hosted platform"),
    Verb("gen types", "Types of the database", "gen types --lang typescript"),
    Verb("gen signing-key", "Make a key that signs tokens", "gen signing-key --algorithm ES256 --append"),
    Verb("gen bearer-jwt", "Make a token", "gen bearer-jwt --role authenticated --sub USER --valid-for 1h"),
    *(
        Verb(
            f"completion {shell}",
            f"Completion of commands for {shell}",
            f"completion {shell}",
            "completion shell",
        )
        for shell in ("bash", "fish", "powershell", "zsh")
    ),
    Verb("init", "Make a project here", "init"),
    *(
        Verb(f"inspect db {name}", summary, f"inspect db {name}", "inspect db")
        for name, summary in {
            **FIGURES,
            **{older: f"The same as {name}" for older, name in OLDER_FIGURES.items()},
        }.items()
    ),
    Verb("inspect report", "Write all figures as CSV files", "inspect report --output-dir figures"),
    Verb("logs", "Show the stack's logs", "logs gateway -f"),
    Verb("secrets set", "Set secrets of functions", "secrets set STRIPE_KEY=sk_test_1"),
    Verb("secrets list", "List secrets of functions, with digests of their values", "secrets list"),
    Verb("secrets unset", "Take secrets of functions away", "secrets unset STRIPE_KEY"),
    Verb("seed buckets", "Make and fill the buckets of config.toml", "seed buckets"),
    Verb("services", "Versions of all services", "services"),
    Official("snippets", "SQL snippets of the hosted platform's editor"),
    Verb("storage ls", "List buckets, folders and objects", "storage ls -r ss:///pictures/"),
    Verb(
        "storage cp",
        "Copy files into Storage, out of it or within it",
        "storage cp -r pictures ss:///pictures",
    ),
    Verb("storage mv", "Move objects", "storage mv ss:///pictures/a.png ss:///pictures/b.png"),
    Verb("storage rm", "Delete objects, folders or buckets", "storage rm ss:///pictures/a.png"),
    Verb("test db", "Run the tests in supabase/tests (pgTAP)", "test db"),
    Verb("test new", "Make a test", "test new orders"),
    Official("backups", "Backups of a hosted project"),
    Official("bootstrap", "A project from a template, fetched from the network"),
    Official("branches", "Preview branches of a hosted project"),
    Official("config", "Configuration of a hosted project"),
    Official("domains", "Domain names of a hosted project"),
    Official("encryption", "Root key of a hosted project"),
    Official("feedback", "Feedback to Supabase"),
    Official("issue", "Issues of the official CLI"),
    Official("link", "Link this folder to a hosted project"),
    Official("login", "Log in to the hosted platform"),
    Official("logout", "Log out of the hosted platform"),
    Official("network-bans", "Banned addresses of a hosted project"),
    Official("network-restrictions", "Allowed addresses of a hosted project"),
    Official("notebooks", "Notebooks of a hosted project"),
    Official("orgs", "Organisations on the hosted platform"),
    Official("postgres-config", "Postgres's settings of a hosted project"),
    Official("projects", "Projects on the hosted platform"),
    Official("pull", "Take over a hosted project's state"),
    Official("ssl-enforcement", "TLS of a hosted project's database"),
    Official("sso", "Single sign-on of a hosted project"),
    Instead("telemetry", "Figures about use", "localbase sends none: there is nothing to switch."),
    Official("unlink", "Undo `link`"),
    Official("vanity-subdomains", "Names of a hosted project"),
    Official("whoami", "Who is logged in to the hosted platform"),
)
