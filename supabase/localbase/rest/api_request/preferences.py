"""The `Prefer` header (RFC 7240): what the client would like, and what of it was followed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from localbase.core.cache import cached_for_short_texts

_CHOICES = {
    "resolution": ("merge-duplicates", "ignore-duplicates"),
    "return": ("representation", "minimal", "headers-only"),
    "count": ("exact", "planned", "estimated"),
    "tx": ("commit", "rollback"),
    "missing": ("default", "null"),
    "handling": ("strict", "lenient"),
}


@dataclass(frozen=True, slots=True)
class Preferences:
    """The first choice of each kind; `invalid` are the unknown ones."""

    resolution: str | None = None
    returning: str | None = None
    count: str | None = None
    tx: str | None = None
    missing: str | None = None
    handling: str | None = None
    timezone: str | None = None
    max_affected: int | None = None
    invalid: tuple[str, ...] = ()

    @property
    def strict(self) -> bool:
        """Tell whether unknown preferences are errors, and `max-affected` counts."""
        return self.handling == "strict"

    @property
    def affected_limit(self) -> int | None:
        """The most rows that may be affected."""
        return self.max_affected if self.strict else None


def parse_prefer(header: str, *, allow_tx: bool) -> Preferences:
    """The header's value, several headers joined by commas. Without `allow_tx` the client cannot choose `tx`."""
    preferences = _parse(header)
    return preferences if allow_tx or preferences.tx is None else replace(preferences, tx=None)


@cached_for_short_texts
def _parse(header: str) -> Preferences:
    chosen: dict[str, str] = {}
    timezone: str | None = None
    limit: int | None = None
    invalid = []
    for preference in filter(None, map(str.strip, header.split(","))):
        kind, _, value = preference.partition("=")
        if value in _CHOICES.get(kind, ()):
            chosen.setdefault(kind, value)
        elif kind == "timezone":
            timezone = timezone or value
        elif kind == "max-affected":
            if limit is None and value.isascii() and value.isdigit() and len(value) <= 18:
                limit = int(value)
        else:
            invalid.append(preference)
    return Preferences(
        resolution=chosen.get("resolution"),
        returning=chosen.get("return"),
        count=chosen.get("count"),
        tx=chosen.get("tx"),
        missing=chosen.get("missing"),
        handling=chosen.get("handling"),
        timezone=timezone,
        max_affected=limit,
        invalid=tuple(invalid),
    )


def applied(preferences: Preferences, *, action: str, resolution_counts: bool) -> str | None:
    """`Preference-Applied` for an action. `resolution_counts` says whether there was a key to conflict on."""
    writes = action in ("insert", "update", "put", "delete")
    parts = []
    if action == "insert" and resolution_counts and preferences.resolution:
        parts.append(f"resolution={preferences.resolution}")
    if action in ("insert", "update") and preferences.missing:
        parts.append(f"missing={preferences.missing}")
    if writes and preferences.returning:
        parts.append(f"return={preferences.returning}")
    if preferences.count:
        parts.append(f"count={preferences.count}")
    if preferences.tx:
        parts.append(f"tx={preferences.tx}")
    if preferences.handling:
        parts.append(f"handling={preferences.handling}")
    if preferences.timezone:
        parts.append(f"timezone={preferences.timezone}")
    if action in ("update", "delete", "call") and preferences.affected_limit is not None:
        parts.append(f"max-affected={preferences.affected_limit}")
    return ", ".join(parts) or None
