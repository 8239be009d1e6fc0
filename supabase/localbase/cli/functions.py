"""`supabase functions new`: a Python function that answers at once."""

from __future__ import annotations

import re

from localbase.cli.terminal import say
from localbase.core.errors import UserError
from localbase.core.project import Project

_MAIN = '''"""{slug}: a function over functions-framework, served at /functions/v1/{slug}."""

import flask
import functions_framework


@functions_framework.http
def {target}(request: flask.Request) -> flask.typing.ResponseReturnValue:
    """Greets the name in the JSON body."""
    body = request.get_json(silent=True) or {{}}
    return {{"message": f"Hello {{body.get('name', 'Functions')}}!"}}
'''


def new(project: Project, slug: str) -> int:
    """Makes `<functions>/<slug>/main.py` and its requirements."""
    if not re.fullmatch(r"[a-z][a-z0-9-]*", slug):
        raise UserError(f"{slug!r} is no function name.", "Use lower-case letters, digits and dashes.")
    folder = project.functions / slug
    if folder.exists():
        raise UserError(f"{folder} exists already.", "Choose another name.")
    folder.mkdir(parents=True)
    (folder / "main.py").write_text(_MAIN.format(slug=slug, target=slug.replace("-", "_")), encoding="utf-8")
    (folder / "requirements.txt").write_text("functions-framework==3.10.2\n", encoding="utf-8")
    say(f"Made {folder}.")
    return 0
