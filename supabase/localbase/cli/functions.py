"""`supabase functions new | list | serve | logs`: Python functions on the local stack."""

from __future__ import annotations

import keyword
import re
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

from localbase.cli import stack
from localbase.cli.terminal import say
from localbase.core.errors import UserError
from localbase.core.log_text import as_text
from localbase.core.project import Project, read_dotenv
from localbase.functions.catalog import SLUG, Catalog
from localbase.functions.environment import reserved_names, warning_about
from localbase.functions.overrides import Overrides, overriding

_MAIN = '''"""{slug}: a function over functions-framework, served at /functions/v1/{slug}."""

import flask
import functions_framework


@functions_framework.http
def {target}(request: flask.Request) -> flask.typing.ResponseReturnValue:
    """Greets the name in the JSON body."""
    body = request.get_json(silent=True) or {{}}
    return {{"message": f"Hello {{body.get('name', 'Functions')}}!"}}
'''
_FOLLOW_SECONDS = 0.2
# A line that the functions' host has written: time, level, function, and what it says.
_LINE = re.compile(r"(\S+ \S+) (\w+) functions\.([\w-]+) (.*)", re.DOTALL)


def new(project: Project, slug: str) -> int:
    """Makes `<functions>/<slug>/main.py` and its requirements."""
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


def show_list(project: Project) -> int:
    """The functions of the project, with their settings."""
    catalog = Catalog(project)
    print(f"{'NAME':<40} {'ENABLED':<8} {'VERIFY JWT':<11} ENTRYPOINT")
    for source in catalog.all():
        settings = catalog.settings(source.slug)
        flags = ("yes" if flag else "no" for flag in (settings.enabled, settings.verify_jwt))
        enabled, verified = flags
        print(f"{source.slug:<40} {enabled:<8} {verified:<11} {_relative(source.entrypoint, project.root)}")
    return 0


def serve(project: Project, env_file: Path | None, *, verify_jwt: bool) -> int:
    """Shows the running stack's functions at work until Ctrl-C; for so long the file and the flag count."""
    settings = project.settings
    if not stack.is_running(project):
        raise UserError(f"{settings.project_id} is not running.", "Start it with `supabase start`.")
    if not settings.edge_runtime.enabled or not project.functions.is_dir():
        raise UserError(
            "The stack runs no functions.", "Set [edge_runtime] enabled = true and start it again."
        )
    if env_file is not None:
        if not env_file.is_file():
            raise UserError(f"There is no file {env_file}.", "Name one that holds NAME=value lines.")
        for name in reserved_names(read_dotenv(env_file)):
            say(warning_about(name))
    catalog = Catalog(project)
    print("Serving functions on " + f"{settings.api_url}/functions/v1/<function-name>")
    for source in catalog.all():
        if catalog.settings(source.slug).enabled:
            print(f" - {settings.api_url}/functions/v1/{source.slug}")
        else:
            say(f"Skipped serving Function: {source.slug}")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    path = _log_path(project)
    began = path.stat().st_size if path.exists() else 0
    overrides = Overrides(env_file.resolve() if env_file else None, verify_jwt)
    try:
        with overriding(project.state, overrides):
            _print_all(_followed(path, began), None)
    except KeyboardInterrupt:
        print(f"Stopped serving {_relative(project.functions, project.root)}")
    return 0


def logs(project: Project, slug: str | None, lines: int, *, follow: bool) -> int:
    """Prints the last lines that functions have logged, of all or of one, and those to come."""
    if slug is not None and Catalog(project).find(slug) is None:
        raise UserError(
            f"There is no function {slug!r}.", "`supabase functions list` shows those that exist."
        )
    path = _log_path(project)
    size = path.stat().st_size if path.exists() else 0
    last: deque[str] = deque(maxlen=lines)
    for old in (path.with_suffix(".log.1"), path):
        if old.exists():
            with old.open(encoding="utf-8", errors="replace") as file:
                last.extend(text for line in file if (text := _shown(line, slug)))
    for text in last:
        print(text)
    if follow:
        _print_all(_followed(path, size), slug)
    return 0


def _print_all(lines: Iterator[str], slug: str | None) -> None:
    for line in lines:
        if text := _shown(line, slug):
            print(text, flush=True)


def _shown(line: str, slug: str | None) -> str:
    """The line as it is shown; empty if it is another function's, or none of a function."""
    match = _LINE.match(as_text(line))
    if not match or (slug is not None and match[3] != slug):
        return ""
    time_, level, name, text = match.groups()
    return f"{time_[:19]} {name} {'' if level == 'INFO' else level + ' '}{text}"


def _followed(path: Path, start: int, wait: Callable[[float], None] = time.sleep) -> Iterator[str]:
    """The lines that are added to `path` behind `start`, for ever; also of a new file of that name."""
    rest = ""
    while True:
        try:
            with path.open(encoding="utf-8", errors="replace") as file:
                size = path.stat().st_size
                file.seek(start if size >= start else 0)
                *lines, rest = (rest + file.read()).split("\n")
                start = file.tell()
        except FileNotFoundError:
            lines, start = [], 0
        yield from lines
        wait(_FOLLOW_SECONDS)  # another process writes the file, and says nothing of it


def _log_path(project: Project) -> Path:
    return project.state / "logs" / "functions.log"


def _relative(path: Path, root: Path) -> str:
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
