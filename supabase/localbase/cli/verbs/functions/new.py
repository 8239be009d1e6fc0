"""`functions new`: a Python function to begin with."""

from __future__ import annotations

import argparse
import keyword

from localbase.cli.call import Call
from localbase.cli.terminal import say
from localbase.core.errors import UserError
from localbase.functions.catalog import SLUG

_HEAD = '''"""{slug}: a function over functions-framework, served at /functions/v1/{slug}."""
{imports}
import flask
import functions_framework


@functions_framework.http
def {target}(request: flask.Request) -> flask.typing.ResponseReturnValue:
'''
_OPEN = '''    """Greets the name in the JSON body."""
    body = request.get_json(silent=True) or {}
    return {"message": f"Hello {body.get('name', 'Functions')}!"}
'''
_BY_KEY = '''    """Greets callers that send one of the project's API keys."""
    keys = (os.environ["SUPABASE_PUBLISHABLE_KEY"], os.environ["SUPABASE_SECRET_KEY"])
    if not any(hmac.compare_digest(request.headers.get("apikey", ""), key) for key in keys):
        return {"message": "The header apikey holds no key of this project."}, 401
    body = request.get_json(silent=True) or {}
    return {"message": f"Hello {body.get('name', 'Functions')}!"}
'''
_BY_USER = '''    """Greets the user that has signed in: the gateway has verified the token."""
    payload = request.headers["Authorization"].split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    if "sub" not in claims:
        return {"message": "This is for users that have signed in."}, 401
    return {"message": f"Hello {claims.get('email', claims['sub'])}!"}
'''
# How callers are checked: the imports, the body, and whether the gateway demands a token.
_KINDS: dict[str | None, tuple[str, str, bool]] = {
    None: ("", _OPEN, True),
    "none": ("", _OPEN, False),
    "apikey": ("\nimport hmac\nimport os\n", _BY_KEY, False),
    "user": ("\nimport base64\nimport json\n", _BY_USER, True),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Its name, and who may call it."""
    parser.add_argument("slug", help="the function's name, which is also its address")
    parser.add_argument(
        "--auth",
        choices=("none", "apikey", "user"),
        help="callers: all of them, those with an API key, or users (by default, those with any token)",
    )


def run(call: Call) -> int:
    """Makes `<functions>/<slug>/main.py` and its requirements."""
    project, slug, auth = call.project, call.options.slug, call.options.auth
    target = slug.replace("-", "_")
    if not SLUG.fullmatch(slug) or keyword.iskeyword(target):
        raise UserError(
            f"{slug!r} is no function name.", "Begin with a letter, go on with letters, digits, - and _."
        )
    folder = project.functions / slug
    if folder.exists():
        raise UserError(f"{folder} exists already.", "Choose another name.")
    imports, body, demands_token = _KINDS[auth]
    folder.mkdir(parents=True)
    main = _HEAD.format(slug=slug, target=target, imports=imports) + body
    (folder / "main.py").write_text(main, encoding="utf-8")
    (folder / "requirements.txt").write_text("functions-framework==3.10.2\n", encoding="utf-8")
    say(f"Made {folder}.")
    if not demands_token:
        config = project.supabase / "config.toml"
        text = config.read_text(encoding="utf-8") if config.exists() else ""
        config.write_text(f"{text.rstrip()}\n\n[functions.{slug}]\nverify_jwt = false\n", encoding="utf-8")
        say(f"Set verify_jwt = false for it in {config}; that counts from the next start on.")
    call.output.show({"slug": slug, "folder": str(folder)}, "")
    return 0
