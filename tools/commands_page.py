"""`python -m tools.commands_page` writes `supabase/COMMANDS.md`: every command, from localbase's own table."""

from __future__ import annotations

from pathlib import Path

from localbase.cli import parser
from localbase.cli.table import ROWS, Instead, Official, Verb

PAGE = Path(__file__).resolve().parents[1] / "supabase" / "COMMANDS.md"
_HEAD = """# Commands

Made by `python -m tools.commands_page` from localbase's own table; a test says when it is stale.
`localbase COMMAND --help` says more.

Every command takes `--workdir DIR`, `-o text|json|yaml|toml|env|csv` as far as its result has that form, and `--yes`.
The official CLI's other flags are taken too: `--local` and what has no meaning here change nothing, `--linked`,
`--remote` and `--project-ref` hand the command to the official CLI, where it is installed
(`npm install --save-dev supabase`). A command that does not exist ends with 2 and names the nearest. Errors say what,
where and what to do; with `-o json` they are `{"error": {"message", "remedy"}}` on stderr.

## What works

| command | what it does | flags | example |
| --- | --- | --- | --- |
"""


def page() -> str:
    """The whole page."""
    following = parser.words_and_flags()
    common = {"--help", "--workdir", "--output", "--yes"}
    lines = []
    for row in ROWS:
        if isinstance(row, Verb):
            flags = ", ".join(f"`{flag}`" for flag in following[row.words] if flag not in common)
            lines.append(f"| `{row.words}` | {row.summary} | {flags} | `localbase {row.example}` |")
    official = [f"| `{row.words}` | {row.summary} |" for row in ROWS if isinstance(row, Official)]
    instead = [f"| `{row.words}` | {row.instead} |" for row in ROWS if isinstance(row, Instead)]
    parts = [
        _HEAD + "\n".join(lines),
        "## Handed to the official CLI\n\n| command | what it does |\n| --- | --- |\n" + "\n".join(official),
        "## Not here\n\n| command | instead |\n| --- | --- |\n" + "\n".join(instead),
    ]
    return "\n\n".join(parts) + "\n"


def main() -> None:
    """Writes the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
