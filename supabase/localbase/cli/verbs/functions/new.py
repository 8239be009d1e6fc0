"""`functions new`: a Python function to begin with."""

from __future__ import annotations

import argparse
import keyword

from localbase.cli.call import Call
from localbase.cli.terminal import say
from localbase.core.errors import UserError
from localbase.functions.catalog import SLUG

_MAIN = '''"""{slug}: a function over functions-framework, served at /functions/v1/{slug}."""

import flask
import functions_framework


@functions_framework.http
def {target}(request: flask.Request) -> flask.typing.ResponseReturnValue:
    """Greets the name in the JSON body."""
    body = request.get_json(silent=True) or {{}}
    return {{"message": f"Hello {{body.get('name', 'Functions')}}!"}}
'''


def arguments(parser: argparse.ArgumentParser) -> None:
    """Its name."""
    parser.add_argument("slug", help="the function's name, which is also its address")


def run(call: Call) -> int:
    """Makes `<functions>/<slug>/main.py` and its requirements."""
    project, slug = call.project, call.options.slug
    target = slug.replace("-", "_")
    if not SLUG.fullmatch(slug) or keyword.iskeyword(target):
        raise UserError(
            f"{slug!r} is no function name.", "Begin with a letter, go on with letters, digits, - and _."
        )
    folder = project.functions / slug
    if folder.exists():
        raise UserError(f"{folder} exists already.", "Choose another name.")
    folder.mkdir(parents=True)
    (folder / "main.py").write_text(_MAIN.format(slug=slug, target=target), encoding="utf-8")
    (folder / "requirements.txt").write_text("functions-framework==3.10.2\n", encoding="utf-8")
    say(f"Made {folder}.")
    return 0
