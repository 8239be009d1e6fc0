"""Quoting, and the list of parameters that a statement collects while it is written."""

from __future__ import annotations

from localbase.postgres.schema_cache.cache import Name

# Type names that are several words, or that mean something else when quoted, in Postgres's own spelling.
_KEYWORD_TYPES = {
    *("int", "integer", "smallint", "bigint", "dec", "decimal", "numeric", "real", "float", "boolean", "bit"),
    *("character", "char", "varchar", "time", "timestamp", "interval"),
    "double precision",
    "bit varying",
    "character varying",
    "char varying",
    "national character",
    "national char",
    "national character varying",
    "time with time zone",
    "time without time zone",
    "timestamp with time zone",
    "timestamp without time zone",
}


def identifier(name: str) -> str:
    """A quoted name. What follows a NUL cannot be part of a name."""
    if name.isidentifier():
        return f'"{name}"'
    return '"' + name.split("\0", 1)[0].replace('"', '""') + '"'


def qualified(name: Name) -> str:
    """A quoted name with its schema."""
    return f"{identifier(name[0])}.{identifier(name[1])}"


def function_name(name: str) -> str:
    """A function as an operator names it, with its schema or without, quoted."""
    schema, dot, function = name.partition(".")
    return f"{identifier(schema)}.{identifier(function)}" if dot else identifier(name)


def literal(text: str) -> str:
    """A quoted constant that reads the same with `standard_conforming_strings` on or off."""
    text = text.split("\0", 1)[0].replace("'", "''")
    if "\\" in text:
        doubled = text.replace("\\", "\\\\")
        return f" E'{doubled}'"
    return f"'{text}'"


def type_name(name: str) -> str:
    """The type of a client's cast. An unquoted name is lower case to Postgres, so it is here."""
    folded = " ".join(name.lower().split())
    return folded if folded in _KEYWORD_TYPES else identifier(folded)


class Parameters:
    """The places of a request's values that a statement uses, each once, in the order of `$1`, `$2`…"""

    __slots__ = ("places",)

    def __init__(self) -> None:
        self.places: list[int] = []

    def use(self, place: int) -> str:
        """The parameter that carries the value at `place`."""
        if place in self.places:
            return f"${self.places.index(place) + 1}"
        self.places.append(place)
        return f"${len(self.places)}"
