"""`test new`: a test of the database to begin with."""

from __future__ import annotations

import argparse
import re

from localbase.cli.call import Call
from localbase.cli.terminal import say
from localbase.core.errors import UserError

_TEMPLATE = """begin;
select plan(1);

select ok(true, 'the first test');

select * from finish();
rollback;
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Its name."""
    parser.add_argument("name", help="the file's name, without its ending")
    parser.add_argument("--template", "-t", choices=("pgtap",), default="pgtap", help="pgtap (pgtap)")


def run(call: Call) -> int:
    """Makes `supabase/tests/<name>_test.sql`."""
    name = call.options.name
    if not re.fullmatch(r"[A-Za-z0-9][\w-]*", name):
        raise UserError(f"{name!r} is no name of a file.", "Letters, digits, - and _ make one.")
    path = call.project.supabase / "tests" / f"{name}_test.sql"
    if path.exists():
        raise UserError(f"{path} exists already.", "Choose another name.")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_TEMPLATE, encoding="utf-8")
    say(f"Made {path}.")
    call.output.show({"file": str(path)}, "")
    return 0
