"""`functions …`."""

from __future__ import annotations

import argparse
import keyword
import shlex
import shutil
import signal
import subprocess
from collections import deque
from pathlib import Path

from localbase.cli.call import Call
from localbase.cli.function_places import warn_of_two_places
from localbase.cli.log_lines import follow, log_path, shown_of_function
from localbase.cli.parser import accept
from localbase.cli.stack import stack
from localbase.cli.terminal import aligned, confirmed, say
from localbase.core.errors import UserError
from localbase.core.project import Project, read_dotenv
from localbase.core.text_files import read_text
from localbase.functions.deno.program import find_deno, warning_about_missing
from localbase.functions.environment import reserved_names, warning_about
from localbase.functions.overrides import Overrides, overriding
from localbase.functions.sources import SLUG, FunctionSource, FunctionSources

# `functions new`: a Python function to begin with.


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


def new_arguments(parser: argparse.ArgumentParser) -> None:
    """Its name, and who may call it."""
    parser.add_argument("slug", help="the function's name, which is also its address")
    parser.add_argument(
        "--auth",
        choices=("none", "apikey", "user"),
        help="callers: all of them, those with an API key, or users (by default, those with any token)",
    )


def run_new(call: Call) -> int:
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
    warn_of_two_places(project)
    if not demands_token:
        config = project.supabase / "config.toml"
        text = read_text(config) if config.exists() else ""
        config.write_text(f"{text.rstrip()}\n\n[functions.{slug}]\nverify_jwt = false\n", encoding="utf-8")
        say(f"Set verify_jwt = false for it in {config}; that counts from the next start on.")
    call.output.show({"slug": slug, "folder": str(folder)}, "")
    return 0


# `functions serve`: the running stack's functions at work, with other variables meanwhile.


def serve_arguments(parser: argparse.ArgumentParser) -> None:
    """Options: what `serve` changes of the running stack."""
    parser.add_argument("slug", nargs="*", help="all functions are served; the names are for older scripts")
    parser.add_argument("--env-file", type=Path, help="variables in place of supabase/functions/.env")
    parser.add_argument("--no-verify-jwt", action="store_true", help="let callers in without a token")
    accept(parser, "--import-map", reason="Python has no import maps", is_switch=False)
    inspector = "there is no inspector; call `breakpoint()` under `functions-framework --target` instead"
    accept(parser, "--inspect", "--inspect-main", reason=inspector)
    accept(parser, "--inspect-mode", reason=inspector, is_switch=False)


def run_serve(call: Call) -> int:
    """Shows the running stack's functions at work until Ctrl-C; for so long the file and the flag count."""
    project, env_file, verify_jwt = call.project, call.options.env_file, not call.options.no_verify_jwt
    settings = project.settings
    stack.require_running(project)
    if not settings.edge_runtime.enabled:
        raise UserError(
            "The stack runs no functions.", "Set [edge_runtime] enabled = true and start it again."
        )
    warn_of_two_places(project)
    if env_file is not None:
        if not env_file.is_file():
            raise UserError(f"There is no file {env_file}.", "Name one that holds NAME=value lines.")
        for name in reserved_names(read_dotenv(env_file)):
            say(warning_about(name))
    sources = FunctionSources(project)
    print("Serving functions on " + f"{settings.api_url}/functions/v1/<function-name>")
    for source in sources.all():
        if sources.settings(source.slug).enabled:
            print(f" - {settings.api_url}/functions/v1/{source.slug}")
        else:
            say(f"Skipped serving Function: {source.slug}")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    path = log_path(project)
    began = path.stat().st_size if path.exists() else 0
    overrides = Overrides(env_file.resolve() if env_file else None, verify_jwt)
    try:
        with overriding(project.state, overrides):
            _print_added(path, began, None)
    except KeyboardInterrupt:
        folder = project.functions
        shown = folder.relative_to(project.root) if folder.is_relative_to(project.root) else folder
        print(f"Stopped serving {shown}")
    return 0


# `functions list`: the functions of the project.


def run_list(call: Call) -> int:
    """Shows them with their settings."""
    project = call.project
    sources = FunctionSources(project)
    data, needing = [], []
    for source in sources.all():
        settings, path = sources.settings(source.slug), source.entrypoint
        shown = path.relative_to(project.root) if path.is_relative_to(project.root) else path
        data.append(
            {
                "name": source.slug,
                "enabled": settings.enabled,
                "verify_jwt": settings.verify_jwt,
                "entrypoint": str(shown),
            }
        )
        if source.runtime == "deno":
            needing.append(source.slug)
    rows = [("NAME", "ENABLED", "VERIFY JWT", "ENTRYPOINT")]
    for row in data:
        enabled, verified = ("yes" if row[name] else "no" for name in ("enabled", "verify_jwt"))
        rows.append((str(row["name"]), enabled, verified, str(row["entrypoint"])))
    call.output.show(data, aligned(rows))
    warn_of_two_places(project)
    if needing and find_deno(project.root, project.environ) is None:
        say(f"warning: {warning_about_missing(needing)}")
    return 0


# `functions logs`: what functions have logged.


def logs_arguments(parser: argparse.ArgumentParser) -> None:
    """Of which function, and how much."""
    parser.add_argument("slug", nargs="?", help="of this function alone")
    parser.add_argument("-n", "--lines", type=count, default=100, help="how many of the last lines (100)")
    parser.add_argument("-f", "--follow", action="store_true", help="go on with the lines to come")


def count(text: str) -> int:
    """A number of lines."""
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of lines")
    return int(text)


def run_logs(call: Call) -> int:
    """Prints the last lines that functions have logged, of all or of one, and those to come."""
    project, slug = call.project, call.options.slug
    if slug is not None and FunctionSources(project).find(slug) is None:
        raise UserError(
            f"There is no function {slug!r}.", "`supabase functions list` shows those that exist."
        )
    path = log_path(project)
    size = path.stat().st_size if path.exists() else 0
    last: deque[str] = deque(maxlen=call.options.lines)
    for old in (path.with_suffix(".log.1"), path):
        if old.exists():
            with old.open(encoding="utf-8", errors="replace") as file:
                last.extend(text for line in file if (text := shown_of_function(line, slug)))
    for text in last:
        print(text)
    if call.options.follow:
        _print_added(path, size, slug)
    return 0


def _print_added(path: Path, size: int, slug: str | None) -> None:
    """Prints what functions log from now on, all of them or one, for ever."""
    for line in follow(path.parent, {path.name: size}, path.name):
        if text := shown_of_function(line.raw, slug):
            print(text, flush=True)


# `functions deploy`: Python functions to Google Cloud, each from a folder that holds all it needs.
# The official CLI deploys Deno functions to the hosted platform, which runs no Python: here `gcloud` does it, as Cloud
# Run functions. Variables and secrets are set there, never sent from a laptop.


_RUNTIME = "python312"
_LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc", ".env*")


def deploy_arguments(parser: argparse.ArgumentParser) -> None:
    """Options: the functions, and their place in Google Cloud."""
    parser.add_argument("slug", nargs="*", help="which functions; all that are enabled by default")
    parser.add_argument("--region", default="us-central1", help="Google Cloud's region (us-central1)")
    parser.add_argument("--project", default="", help="Google Cloud's project (gcloud's own by default)")
    parser.add_argument("--no-verify-jwt", action="store_true", help="let all callers in")
    parser.add_argument("--dry-run", action="store_true", help="print the commands, run none")
    accept(parser, "--use-api", "--use-docker", "--legacy-bundle", reason="Google Cloud builds the function")
    accept(parser, "--import-map", reason="Python has no import maps", is_switch=False)
    accept(parser, "--prune", reason="functions are deleted by `gcloud functions delete`")
    accept(parser, "--jobs", "-j", reason="functions are deployed one after the other", is_switch=False)


def run_deploy(call: Call) -> int:
    """Deploys the functions named, or all that are enabled, one after the other; the first failure ends it.

    `--no-verify-jwt` lets callers in without Google's own token, as `verify_jwt = false` does for one function: such a
    function judges its callers itself. `--dry-run` prints the commands. Returns gcloud's exit code.
    """
    project, options = call.project, call.options
    sources = FunctionSources(project)
    chosen = _chosen(sources, options.slug)
    if not chosen:
        raise UserError("There is no function to deploy.", "`supabase functions new NAME` makes one.")
    if not options.dry_run and shutil.which("gcloud") is None:
        raise UserError(
            "gcloud is not installed: it deploys functions to Google Cloud.",
            "Install the Google Cloud CLI and run `gcloud auth login`; `--dry-run` shows what would be run.",
        )
    names = ", ".join(source.slug for source in chosen)
    if not options.dry_run and not confirmed(f"Deploy {names} to Google Cloud?", yes=options.yes):
        return 1
    for source in chosen:
        folder = _bundle(project, sources, source)
        is_open = options.no_verify_jwt or not sources.settings(source.slug).verify_jwt
        command = _command(source, folder, options.region, options.project, is_open=is_open)
        if options.dry_run:
            print(shlex.join(command))
            continue
        say(f"deploying {source.slug} …")
        done = subprocess.run(command, check=False)
        if done.returncode:
            say(f"{source.slug} was not deployed: gcloud ended with {done.returncode}.")
            return done.returncode
    return 0


def _chosen(sources: FunctionSources, slugs: list[str]) -> list[FunctionSource]:
    if not slugs:
        return [source for source in sources.all() if sources.settings(source.slug).enabled]
    named = {slug: sources.find(slug) for slug in slugs}
    if missing := [slug for slug, source in named.items() if source is None]:
        raise UserError(
            f"There is no function {', '.join(repr(slug) for slug in missing)}.",
            "`supabase functions list` shows those that exist.",
        )
    return [source for source in named.values() if source is not None]


def _bundle(project: Project, sources: FunctionSources, source: FunctionSource) -> Path:
    """The function's folder and the shared ones (`_…`) beside its `main.py`, made anew."""
    target = project.state / "deploy" / source.slug
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source.entrypoint.parent, target, ignore=_LEFT_OUT)
    if source.entrypoint.name != "main.py":
        shutil.copyfile(source.entrypoint, target / "main.py")
    for shared in sorted(sources.root.glob("_[!_]*")):
        if shared.is_dir():
            shutil.copytree(shared, target / shared.name, ignore=_LEFT_OUT)
    return target


def _command(
    source: FunctionSource, folder: Path, region: str, cloud_project: str, *, is_open: bool
) -> list[str]:
    return [
        *("gcloud", "functions", "deploy", source.slug, "--gen2", f"--runtime={_RUNTIME}"),
        *(f"--region={region}", f"--source={folder}", f"--entry-point={source.target}", "--trigger-http"),
        "--allow-unauthenticated" if is_open else "--no-allow-unauthenticated",
        *([f"--project={cloud_project}"] if cloud_project else []),
    ]
