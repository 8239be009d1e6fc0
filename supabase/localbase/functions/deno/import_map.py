"""The import map that a function runs with: the project's own, and what localbase has in place of some modules.

The official template imports `jsr:@supabase/functions-js/edge-runtime.d.ts`, which has types only, and older functions
`https://deno.land/std/http/server.ts`, whose servers Deno 2 no longer has. Both are served from here, so that such
functions start without a network. Other modules come from where they are named, through Deno's cache.

Formats: WICG import maps; `deno.json` (JSON with comments), whose `imports` Deno widens to subpaths.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from localbase.core.errors import UserError
from localbase.core.text_files import read_text
from localbase.functions.watcher import DENO_SUFFIXES, stamp_of

_HERE = Path(__file__).parent
_SPECIFIER = re.compile(r"""["']((?:jsr:|npm:|https?:|@)[^"'\s]+)["']""")
_TYPES_ONLY = re.compile(
    r"(?:jsr:/?|npm:/?|https?://esm\.sh/(?:v\d+/)?|https?://jsr\.io/)?@supabase/functions-js(?:@[^/]+)?/(?:src/)?edge-runtime(?:\.d)?(?:\.ts)?"
)
_STD_SERVER = re.compile(r"https?://deno\.land/std(?:@[^/]+)?/http/server\.ts")
_CONFIGS = ("deno.json", "deno.jsonc")
_MAPS = ("import_map.json",)
_STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING_COMMA = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])')


def config_of(entrypoint: Path, root: Path) -> Path | None:
    """The `deno.json` that counts for a function: its own, or the one of all functions."""
    return _first(entrypoint.parent, root, names=_CONFIGS)


def map_of(entrypoint: Path, root: Path, named: Path | None) -> Path | None:
    """The file whose `imports` and `scopes` count: the one that config.toml names, else as the official CLI looks."""
    if named is not None:
        return named
    own = _first(entrypoint.parent, names=(*_CONFIGS, *_MAPS))
    return own or _first(root, names=(*_CONFIGS, *_MAPS))


def merged_map(entrypoint: Path, root: Path, named: Path | None) -> dict[str, Any]:
    """The whole map, every address absolute. Raises `UserError` for a file that cannot be read."""
    imports: dict[str, str] = {}
    scopes: dict[str, dict[str, str]] = {}
    path = map_of(entrypoint, root, named)
    if path is not None:
        path, table = _table(path)
        base = path.resolve().as_uri()
        imports = _absolute(table.get("imports"), base)
        scopes = {
            urljoin(base, scope): _absolute(entries, base)
            for scope, entries in (table.get("scopes") or {}).items()
        }
    return {"imports": imports | dict(_provided(entrypoint.parent, root)), "scopes": scopes}


def parse_jsonc(text: str) -> Any:
    """JSON with comments and trailing commas. Raises `ValueError`."""
    bare = _STRING_OR_COMMENT.sub(lambda match: match[0] if match[0].startswith('"') else " ", text)
    return json.loads(_TRAILING_COMMA.sub(lambda match: match[1] or "", bare))


def _table(path: Path) -> tuple[Path, Mapping[str, Any]]:
    """A file's own imports, or those of the import map that a `deno.json` names."""
    table = _read(path)
    other = table.get("importMap")
    if isinstance(other, str) and "imports" not in table and ":" not in other:
        path = path.parent / other
        table = _read(path)
    return path, table


def _read(path: Path) -> Mapping[str, Any]:
    try:
        table = parse_jsonc(read_text(path))
    except ValueError as error:
        raise UserError(f"{path} cannot be read: {error}", "Mend the file.") from error
    if not isinstance(table, dict):
        raise UserError(f"{path} is no JSON object.", "Mend the file.")
    return table


def _absolute(entries: Any, base: str) -> dict[str, str]:
    absolute: dict[str, str] = {}
    for name, address in (entries or {}).items():
        if not isinstance(address, str):
            continue
        key = urljoin(base, name) if name.startswith(("./", "../", "/")) else name
        absolute[key] = urljoin(base, address) if address.startswith(("./", "../", "/")) else address
        scheme, colon, rest = address.partition(":")
        if colon and scheme in ("jsr", "npm") and not name.endswith("/"):
            absolute.setdefault(f"{name}/", f"{scheme}:/{rest.lstrip('/')}/")
    return absolute


def _provided(folder: Path, root: Path) -> Iterator[tuple[str, str]]:
    """Specifiers in the project's own sources that localbase has something for."""
    for text in _sources(folder, root):
        for specifier in _SPECIFIER.findall(text):
            if _TYPES_ONLY.fullmatch(specifier):
                yield specifier, (_HERE / "nothing.js").as_uri()
            elif _STD_SERVER.fullmatch(specifier):
                yield specifier, (_HERE / "std_server.js").as_uri()
            else:
                continue


def _sources(folder: Path, root: Path) -> Iterator[str]:
    for start in {folder, root}:
        for name, _, _ in stamp_of(start, DENO_SUFFIXES):
            try:
                yield Path(name).read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue  # it went meanwhile; Deno reports a module that is missing


def _first(*folders: Path, names: tuple[str, ...]) -> Path | None:
    return next((folder / name for folder in folders for name in names if (folder / name).is_file()), None)
