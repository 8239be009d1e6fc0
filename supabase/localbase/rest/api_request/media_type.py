"""Media types: what a client accepts, in the order of its wishes, and how each is made.

Upstream: https://docs.postgrest.org/en/stable/references/api/resource_representation.html
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from localbase.core.cache import cached_for_short_texts

if TYPE_CHECKING:
    from localbase.postgres.schema_cache.cache import Name

_PARAMETER = re.compile(r';\s*([\w-]+)\s*=\s*(?:"([^"]*)"|([\w|./+-]+))')
_PLAIN = {
    "application/json",
    "application/geo+json",
    "text/csv",
    "text/plain",
    "text/xml",
    "application/openapi+json",
    "application/x-www-form-urlencoded",
    "application/octet-stream",
    "*/*",
}
_WITHOUT_CHARSET = ("application/octet-stream", "*/*")
PLAN_OPTIONS = ("analyze", "verbose", "settings", "buffers", "wal")


@dataclass(frozen=True, slots=True)
class Media:
    """A media type. `form` says how a body is made: json, array, object, csv, geojson, plan; text or bytes where a
    function makes it; other where nothing does.
    """

    name: str
    form: str
    stripped: bool = False
    plan_of: Media | None = None
    plan_options: tuple[str, ...] = ()
    # The aggregate that makes it, and the relation of its rows; None for any relation.
    handler: Name | None = None
    handler_of: Name | None = None
    # What writes the made value's type in binary, where that is neither its text nor the value itself.
    output: str | None = None

    @property
    def header(self) -> str:
        """The value of `Content-Type`."""
        bare = self.form in ("text", "bytes") and (self.name not in _PLAIN or self.name in _WITHOUT_CHARSET)
        return self.name if bare else f"{self.name}; charset=utf-8"


JSON = Media("application/json", "json")
ANY = Media("*/*", "any")
_FORMS = {
    "application/json": JSON,
    "*/*": ANY,
    "text/csv": Media("text/csv", "csv"),
    "application/geo+json": Media("application/geo+json", "geojson"),
    "application/openapi+json": Media("application/openapi+json", "openapi"),
}

# Types with a binary form that is their text, by what writes it.
_TEXTUAL = {
    f"pg_catalog.{name}"
    for name in (
        "textsend",
        "varcharsend",
        "bpcharsend",
        "namesend",
        "json_send",
        "enum_send",
        "cstring_send",
    )
}


def made_media(
    name: str, output: str | None, handler: Name | None = None, handler_of: Name | None = None
) -> Media:
    """A media type that the database makes: the body is the binary form of the value, as upstream reads it.

    `output` is the function that writes that form.
    """
    name = "application/octet-stream" if name == ANY.name else name
    if output is None or output in _TEXTUAL:
        return Media(name, "text", handler=handler, handler_of=handler_of)
    return Media(
        name,
        "bytes",
        handler=handler,
        handler_of=handler_of,
        output=None if output == "pg_catalog.byteasend" else output,
    )


@cached_for_short_texts
def parse_media(text: str) -> Media:
    """One media type with its parameters."""
    main = text.split(";", 1)[0].strip().lower()
    media = _FORMS.get(main)
    if media:
        return media
    parameters = {match[1].lower(): match[2] or match[3] for match in _PARAMETER.finditer(text)}
    stripped = parameters.get("nulls") == "stripped"
    suffix = ";nulls=stripped" if stripped else ""
    if main in ("application/vnd.pgrst.object+json", "application/vnd.pgrst.object"):
        return Media("application/vnd.pgrst.object+json" + suffix, "object", stripped)
    if main in ("application/vnd.pgrst.array+json", "application/vnd.pgrst.array"):
        return Media("application/vnd.pgrst.array+json" + suffix, "array", stripped) if stripped else JSON
    if main.startswith("application/vnd.pgrst.plan"):
        return _parse_plan(main, parameters)
    return Media(main if main in _PLAIN else text.strip(), "other")


def _parse_plan(main: str, parameters: dict[str, str]) -> Media:
    form = "json" if main.endswith("+json") else "text"
    asked = parameters.get("options", "").split("|")
    options = tuple(option for option in PLAN_OPTIONS if option in asked)
    target = parse_media(parameters.get("for", "application/json"))
    suffix = f"; options={'|'.join(options)}" if options else ""
    name = f'application/vnd.pgrst.plan+{form}; for="{target.name}"{suffix}'
    return Media(name, "plan", plan_of=target, plan_options=options)


@cached_for_short_texts
def parse_accept(header: str) -> tuple[Media, ...]:
    """The accepted media types, best first. Without a header anything goes."""
    weighted = []
    for place, part in enumerate(re.findall(r'(?:[^,"]|"[^"]*")+', header)):
        match = re.search(r";\s*q\s*=\s*([0-9.]+)", part)
        quality = float(match[1]) if match and re.fullmatch(r"[0-9]*\.?[0-9]+", match[1]) else 1.0
        text = re.sub(r";\s*q\s*=\s*[0-9.]+", "", part).strip()
        if text:
            weighted.append((-quality, place, parse_media(text)))
    return tuple(media for _, _, media in sorted(weighted, key=lambda item: item[:2])) or (ANY,)
