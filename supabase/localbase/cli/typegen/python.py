"""The types as Python: pydantic's models of what is read, typed dictionaries of what is written."""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Iterable

from localbase.cli.typegen.kinds import (
    OTHER_TEXTS,
    RANGES,
    TEXTS,
    DistinctNames,
    Section,
    capitalized,
    composites,
    enums,
    is_optional,
    kind_of,
    ordered_columns,
    ordered_relations,
    sections_of,
    words_of,
)
from localbase.cli.typegen.schema import Column, Relation, Schema, Type

_TYPES = {
    "bool": ("bool",),
    "int": ("int2", "int4", "int8"),
    "float": ("float4", "float8", "numeric"),
    "str": (
        *TEXTS,
        *RANGES,
        # What comes as text, and has no type in Python's library or comes in another form.
        *OTHER_TEXTS,
        *("tsvector", "tsquery", "point", "line", "lseg", "box", "path", "polygon", "circle"),
        *("regclass", "regtype", "regproc", "regprocedure", "regrole", "regnamespace"),
    ),
    "bytes": ("bytea",),
    "uuid.UUID": ("uuid",),
    "datetime.date": ("date",),
    "datetime.time": ("time", "timetz"),
    "datetime.datetime": ("timestamp", "timestamptz"),
    "JsonValue": ("json", "jsonb"),
}
_SIMPLE = {name: shown for shown, names in _TYPES.items() for name in names}
# What pydantic's BaseModel has itself: a field of that name hides it or is refused.
MODEL_ATTRIBUTES = frozenset(
    (
        *("construct", "copy", "dict", "from_orm", "json", "parse_file", "parse_obj", "parse_raw", "schema"),
        *("schema_json", "update_forward_refs", "validate", "model_computed_fields", "model_config"),
        *("model_construct", "model_copy", "model_dump", "model_dump_json", "model_extra", "model_fields"),
        *("model_fields_set", "model_json_schema", "model_parametrized_name", "model_post_init"),
        *("model_rebuild", "model_validate", "model_validate_json", "model_validate_strings"),
    )
)
# It warns of other names that begin so.
_PROTECTED = ("model_dump", "model_validate")
_TYPING = ("Annotated", "Any", "List", "Literal", "Optional")


def python_of(schema: Schema) -> str:
    """The whole file."""
    printer = _Printer(schema)
    blocks = [*printer.enums(), *printer.composites(), *printer.relations()]
    return "\n\n".join([*_imports("\n".join(blocks)), *blocks]) + "\n"


class _Printer:
    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._class_names = DistinctNames()
        self._enums = {each.oid: self._class_name(each.schema, each.name) for each in enums(schema)}
        self._composites = {each.oid: self._class_name(each.schema, each.name) for each in composites(schema)}

    def _class_name(self, *names: str) -> str:
        class_name = capitalized(*names)
        return self._class_names.take(class_name if class_name.isidentifier() else f"T{class_name}")

    def enums(self) -> list[str]:
        """Literal types."""
        return [
            f"{name}: TypeAlias = Literal[{', '.join(map(_quoted, self._schema.types[oid].labels))}]"
            for oid, name in self._enums.items()
        ]

    def composites(self) -> list[str]:
        """Models of composite types, whose attributes may all be NULL."""
        return [self._composite(name, self._schema.types[oid]) for oid, name in self._composites.items()]

    def _composite(self, name: str, composite: Type) -> str:
        return _model(
            name,
            [(each, f"Optional[{self._type(oid)}]") for each, oid in composite.attributes],
        )

    def relations(self) -> list[str]:
        """Models and typed dictionaries."""
        return [
            self._relation(relation, section)
            for relation in ordered_relations(self._schema)
            for section in sections_of(relation)
        ]

    def _relation(self, relation: Relation, section: Section) -> str:
        suffix = "" if section == "Select" else section
        name = self._class_name(relation.schema, relation.name + suffix)
        columns = ordered_columns(relation)
        if section == "Select":
            return _model(name, [(each.name, self._value(each)) for each in columns])
        return _dictionary(name, [(each.name, self._written(each, section)) for each in columns])

    def _value(self, column: Column) -> str:
        shown = self._type(column.type)
        return f"Optional[{shown}]" if column.nullable else shown

    def _written(self, column: Column, section: Section) -> str:
        shown = f"Annotated[{self._value(column)}, Field(alias={_quoted(column.name)})]"
        return f"NotRequired[{shown}]" if is_optional(column, section) else shown

    def _type(self, oid: int) -> str:
        kind = kind_of(self._schema, oid)
        names = self._enums if kind.is_enum else self._composites
        class_name = names.get(kind.type.oid) if kind.type else None
        shown = class_name or _SIMPLE.get(kind.plain_name, "Any")
        return f"List[{shown}]" if kind.arrays else shown


def _model(name: str, fields: Iterable[tuple[str, str]]) -> str:
    field_names = DistinctNames()
    lines = [
        f"    {field_names.take(_field(column))}: {shown} = Field(alias={_quoted(column)})"
        for column, shown in fields
    ]
    return "\n".join([f"class {name}(BaseModel):", *(lines or ["    pass"])])


def _dictionary(name: str, fields: list[tuple[str, str]]) -> str:
    """A class where its keys can be names in one, else a call: what is written has the columns' own names."""
    if all(column.isidentifier() and not keyword.iskeyword(column) for column, _ in fields):
        lines = [f"    {column}: {shown}" for column, shown in fields]
        return "\n".join([f"class {name}(TypedDict):", *(lines or ["    pass"])])
    # Annotations wait until they are looked at; a call's values do not.
    lines = [f"    {_quoted(column)}: {shown}," for column, shown in fields]
    return "\n".join([f"{name} = TypedDict({_quoted(name)}, {{", *lines, "})"])


def _field(column: str) -> str:
    name = column if column.isidentifier() else "_".join(words_of(column)) or "field"
    if not name.isidentifier() or name.startswith(("_", *_PROTECTED)):
        name = f"field_{name.lstrip('_')}"
    return f"{name}_" if keyword.iskeyword(name) or name in MODEL_ATTRIBUTES else name


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _imports(text: str) -> list[str]:
    """The imports that the file needs."""
    modules = [f"import {name}" for name in ("datetime", "uuid") if f"{name}." in text]
    typing = [f"    {name}," for name in _TYPING if _uses(text, name)]
    if typing:
        modules += ["from typing import (", *typing, ")"]
    # pydantic refuses `typing.TypedDict` before Python 3.12.
    extensions = [name for name in ("NotRequired", "TypeAlias", "TypedDict") if _uses(text, name)]
    pydantic = [name for name in ("BaseModel", "Field", "JsonValue") if _uses(text, name)]
    sections = ["from __future__ import annotations", "\n".join(modules)]
    if extensions:
        sections[-1] += f"\nfrom typing_extensions import {', '.join(extensions)}"
    if pydantic:
        sections.append(f"from pydantic import {', '.join(pydantic)}")
    return [each.strip("\n") for each in sections if each]


def _uses(text: str, name: str) -> bool:
    """Tell whether the name is there, as a name and not within a text."""
    return re.search(rf"(?<![\w\"]){name}(?![\w\"])", text) is not None
