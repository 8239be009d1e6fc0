"""`init`: a project here: `supabase/config.toml`, `.gitignore`, `seed.sql` and a folder for migrations."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from localbase.cli.call import Call
from localbase.cli.terminal import say
from localbase.core.errors import UserError

_TEMPLATE = Path(__file__).parents[1] / "config_template.toml"
_IGNORED = """# localbase's and the official CLI's own state
.localbase
.branches
.temp

# secrets
.env
.env.keys
.env.local
.env.*.local
signing_keys.json
"""
_SEED = "-- Data to begin with: runs after the migrations, at the first start and at every `db reset`.\n"
# Of the official CLI, in its versions: settings of editors for Deno.
_EDITORS = ("--interactive", "-i"), ("--with-vscode-settings",), ("--with-intellij-settings",)


def init_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell whether a configuration that is there is written anew."""
    parser.add_argument("--force", action="store_true", help="write config.toml anew")
    for names in (*_EDITORS, ("--use-orioledb",)):
        parser.add_argument(*names, action="store_true", help=argparse.SUPPRESS)


def run_init(call: Call) -> int:
    """Makes the files. Those that are there stay, but for config.toml with `--force`."""
    options = call.options
    # Not the project above: one is to be made here.
    workdir = options.workdir or call.environ.get("SUPABASE_WORKDIR")
    root = Path(workdir or ".").resolve()
    config = root / "supabase" / "config.toml"
    if config.exists() and not options.force:
        raise UserError(f"{config} exists already.", "`init --force` writes it anew.")
    if options.use_orioledb:
        say("There is no OrioleDB here: the project gets Postgres's own storage.")
    if options.interactive or options.with_vscode_settings or options.with_intellij_settings:
        say("Editors need no settings: functions are Python.")
    project_id = re.sub(r"[^A-Za-z0-9_.-]+", "_", root.name).strip("_.-") or "localbase"
    (root / "supabase" / "migrations").mkdir(parents=True, exist_ok=True)
    template = _TEMPLATE.read_text(encoding="utf-8")
    config.write_text(template.replace("PROJECT_ID", project_id), encoding="utf-8")
    made = [config]
    for name, text in ((".gitignore", _IGNORED), ("seed.sql", _SEED)):
        path = config.with_name(name)
        if not path.exists():
            path.write_text(text, encoding="utf-8")
            made.append(path)
    shown = [str(path.relative_to(root)) for path in made]
    say(f"Made {', '.join(shown)}. `start` starts the stack.")
    call.output.show({"project_id": project_id, "files": shown}, "")
    return 0
