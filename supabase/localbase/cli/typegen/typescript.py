"""The types as TypeScript, in the shape that `@supabase/supabase-js` takes: `createClient<Database>(…)`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from localbase.cli.typegen.schema import Column, Relation, Schema
from localbase.postgres.schema_cache.cache import Function, Parameter
from localbase.rest.relationships import ONE_TO_ONE

_PLAIN = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
_NAMES = {
    "boolean": ("bool",),
    "number": ("int2", "int4", "int8", "float4", "float8", "numeric"),
    "string": (
        *("bytea", "bpchar", "varchar", "date", "text", "citext", "time", "timetz", "timestamp"),
        *("timestamptz", "uuid", "vector", "interval"),
    ),
    "Json": ("json", "jsonb"),
    "undefined": ("void",),
    "Record<string, unknown>": ("record",),
}
_SIMPLE = {name: shown for shown, names in _NAMES.items() for name in names}
# PostgREST passes a whole body to a function with one unnamed parameter of these types.
_BODY_TYPES = ("json", "jsonb", "text", "bytea")
_HELPERS = """\
type Schemas = Omit<Database, "__InternalSupabase">

type InSchema = { schema: keyof Schemas }

type Default = Schemas[Extract<keyof Schemas, "DEFAULT_SCHEMA">]

type Part<Group, Name, Kind extends string> = Name extends keyof Group
  ? Group[Name] extends { [K in Kind]: infer Found }
    ? Found
    : never
  : never

export type Tables<
  Name extends keyof (Default["Tables"] & Default["Views"]) | InSchema,
  Table extends Name extends InSchema
    ? keyof (Schemas[Name["schema"]]["Tables"] & Schemas[Name["schema"]]["Views"])
    : never = never,
> = Name extends InSchema
  ? Part<Schemas[Name["schema"]]["Tables"] & Schemas[Name["schema"]]["Views"], Table, "Row">
  : Part<Default["Tables"] & Default["Views"], Name, "Row">

export type TablesInsert<
  Name extends keyof Default["Tables"] | InSchema,
  Table extends Name extends InSchema ? keyof Schemas[Name["schema"]]["Tables"] : never = never,
> = Name extends InSchema
  ? Part<Schemas[Name["schema"]]["Tables"], Table, "Insert">
  : Part<Default["Tables"], Name, "Insert">

export type TablesUpdate<
  Name extends keyof Default["Tables"] | InSchema,
  Table extends Name extends InSchema ? keyof Schemas[Name["schema"]]["Tables"] : never = never,
> = Name extends InSchema
  ? Part<Schemas[Name["schema"]]["Tables"], Table, "Update">
  : Part<Default["Tables"], Name, "Update">

export type Enums<
  Name extends keyof Default["Enums"] | InSchema,
  Enum extends Name extends InSchema ? keyof Schemas[Name["schema"]]["Enums"] : never = never,
> = Name extends InSchema
  ? Schemas[Name["schema"]]["Enums"][Enum]
  : Name extends keyof Default["Enums"]
    ? Default["Enums"][Name]
    : never

export type CompositeTypes<
  Name extends keyof Default["CompositeTypes"] | InSchema,
  Composite extends Name extends InSchema ? keyof Schemas[Name["schema"]]["CompositeTypes"] : never = never,
> = Name extends InSchema
  ? Schemas[Name["schema"]]["CompositeTypes"][Composite]
  : Name extends keyof Default["CompositeTypes"]
    ? Default["CompositeTypes"][Name]
    : never
"""


def typescript_of(schema: Schema) -> str:
    """The whole file."""
    printer = _Printer(schema)
    lines = [
        "export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]",
        "",
        "export type Database = {",
    ]
    for name in schema.names:
        lines += _indented(printer.schema_lines(name))
    lines += ["}", "", *printer.helpers(), "export const Constants = {"]
    for name in schema.names:
        lines += _indented(printer.constant_lines(name))
    return "\n".join([*lines, "} as const", ""])


class _Printer:
    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._rows = {each.type: each for each in schema.relations}

    def helpers(self) -> list[str]:
        """The types that pick one of the others; without a name of a schema they mean the first."""
        first = "public" if "public" in self._schema.names else self._schema.names[0]
        return _HELPERS.replace('"DEFAULT_SCHEMA"', json.dumps(first)).split("\n")

    def schema_lines(self, name: str) -> list[str]:
        """One schema."""
        relations = [each for each in self._schema.relations if each.schema == name]
        tables = [self._relation(each) for each in relations if not each.is_view]
        views = [self._relation(each) for each in relations if each.is_view]
        types = sorted(
            (each for each in self._schema.types.values() if each.schema == name), key=lambda one: one.name
        )
        enums = [
            [f"{_key(each.name)}: {' | '.join(map(json.dumps, each.labels))}"]
            for each in types
            if each.labels
        ]
        composites = [
            _block(each.name, [f"{_key(n)}: {self.type(oid)} | null" for n, oid in each.attributes])
            for each in types
            if each.relation_kind == "c"
        ]
        return [
            f"{_key(name)}: {{",
            *_indented(_section("Tables", tables)),
            *_indented(_section("Views", views)),
            *_indented(_section("Functions", self._functions(name))),
            *_indented(_section("Enums", enums)),
            *_indented(_section("CompositeTypes", composites)),
            "}",
        ]

    def constant_lines(self, name: str) -> list[str]:
        """The labels of a schema's enums, as values."""
        enums = sorted(
            (each.name, each.labels)
            for each in self._schema.types.values()
            if each.schema == name and each.labels
        )
        lines = [f"{_key(each)}: [{', '.join(map(json.dumps, labels))}]," for each, labels in enums]
        return [f"{_key(name)}: {{", *_indented(["Enums: {", *_indented(lines), "},"]), "},"]

    def type(self, oid: int) -> str:
        """A type as it comes in JSON."""
        type_ = self._schema.types.get(oid)
        if type_ is None:
            return "unknown"
        if type_.element:
            return f"({self.type(type_.element)})[]"
        if type_.kind == "d":
            # One named as a media type is a body of that type, not JSON.
            return "unknown" if "/" in type_.name else self.type(type_.base)
        if type_.kind == "e":
            if type_.schema in self._schema.names:
                return f'Database[{json.dumps(type_.schema)}]["Enums"][{json.dumps(type_.name)}]'
            return " | ".join(map(json.dumps, type_.labels))
        if (relation := self._rows.get(oid)) is not None:
            return f'{_path(relation)}["Row"]'
        if type_.relation_kind == "c" and type_.schema in self._schema.names:
            return f'Database[{json.dumps(type_.schema)}]["CompositeTypes"][{json.dumps(type_.name)}]'
        return _SIMPLE.get(type_.name, "unknown")

    def _relation(self, relation: Relation) -> list[str]:
        columns = sorted(relation.columns, key=lambda each: each.name)
        computed = self._computed(relation)
        rows = [f"{_key(each.name)}: {self._nullable(each)}" for each in columns]
        rows += [f"{_key(each.name)}: {self._computed_type(each)} | null" for each in computed]
        lines = [
            "Row: {",
            *_indented(rows),
            "}",
            f"ComputedFields: {' | '.join(json.dumps(each.name) for each in computed) or 'never'}",
        ]
        if relation.writable or not relation.is_view:
            for section in ("Insert", "Update"):
                written = [self._written(relation, each, section) for each in columns]
                lines += [f"{section}: {{", *_indented(written), "}"]
        relationships = self._schema.relationships.get((relation.schema, relation.name), ())
        shown = [
            line
            for each in relationships
            for line in (
                "{",
                f"  foreignKeyName: {json.dumps(each.constraint)}",
                f"  columns: [{', '.join(json.dumps(own) for own, _ in each.columns)}]",
                f"  isOneToOne: {str(each.cardinality == ONE_TO_ONE).lower()}",
                f"  referencedRelation: {json.dumps(each.foreign[1])}",
                f"  referencedColumns: [{', '.join(json.dumps(foreign) for _, foreign in each.columns)}]",
                "},",
            )
        ]
        lines += ["Relationships: [", *_indented(shown), "]"] if shown else ["Relationships: []"]
        return _block(relation.name, lines)

    def _nullable(self, column: Column) -> str:
        return _nullable(self.type(column.type), nullable=column.nullable)

    def _written(self, relation: Relation, column: Column, section: str) -> str:
        if not column.writable:
            return f"{_key(column.name)}?: never"
        shown = _nullable(self.type(column.type), nullable=column.nullable or relation.is_view)
        optional = section == "Update" or column.nullable or column.has_default or relation.is_view
        return f"{_key(column.name)}{'?' if optional else ''}: {shown}"

    def _computed(self, relation: Relation) -> list[Function]:
        """Functions of one row of the relation: the Data API shows them as its columns."""
        return [
            each
            for each in self._schema.functions
            if each.schema == relation.schema
            and len(each.parameters) == 1
            and each.parameters[0].type_oid == relation.type
        ]

    def _computed_type(self, function: Function) -> str:
        relation = self._rows.get(function.type_oid)
        return self._row(relation) if relation else self.type(function.type_oid)

    def _row(self, relation: Relation) -> str:
        """The columns of a row, without computed ones."""
        columns = sorted(relation.columns, key=lambda each: each.name)
        return f"{{ {'; '.join(f'{_key(each.name)}: {self._nullable(each)}' for each in columns)} }}"

    def _functions(self, schema: str) -> list[list[str]]:
        by_name: dict[str, list[Function]] = {}
        for function in self._schema.functions:
            if function.schema == schema and self._is_callable(function):
                by_name.setdefault(function.name, []).append(function)
        entries = []
        for name, overloads in sorted(by_name.items()):
            shown = [self._function(each, overloads) for each in overloads]
            if len(shown) == 1:
                entries.append(_block(name, shown[0]))
                continue
            lines = [f"{_key(name)}:"]
            for each in shown:
                lines += ["  | {", *_indented(_indented(each)), "    }"]
            entries.append(lines)
        return entries

    def _is_callable(self, function: Function) -> bool:
        """By name, or as a whole body, or as a computed column."""
        parameters = function.parameters
        if all(each.name for each in parameters):
            return True
        is_body = parameters[0].type in _BODY_TYPES
        return len(parameters) == 1 and (is_body or parameters[0].type_oid in self._rows)

    def _function(self, function: Function, overloads: list[Function]) -> list[str]:
        arguments = [
            f"{_key(each.name)}{'' if each.required else '?'}: {self._argument(each)}"
            for each in sorted(function.parameters, key=lambda one: one.name)
        ]
        names = {each.name for each in function.parameters}
        alike = [each for each in overloads if {one.name for one in each.parameters} == names]
        if len(alike) > 1:
            returns = _error(f"{function.name} has several forms with the same names of parameters")
        elif len(names) == 1 and "" in names and function.parameters[0].type_oid in self._rows:
            returns = _error(f"{function.name} is a computed column: select it, it cannot be called")
        else:
            returns = self._returned(function)
        shown = f"{{ {'; '.join(arguments)} }}" if arguments else "Record<PropertyKey, never>"
        return [f"Args: {shown}", f"Returns: {returns}", *self._set_options(function, returns)]

    def _argument(self, parameter: Parameter) -> str:
        relation = self._rows.get(parameter.type_oid)
        if relation is None or not parameter.name:
            return self.type(parameter.type_oid)
        return f'Omit<{_path(relation)}["Row"], {_path(relation)}["ComputedFields"]>'

    def _returned(self, function: Function) -> str:
        if function.columns:
            shown = sorted(f"{_key(name)}: {self.type(oid)}" for name, oid in function.columns)
            return f"{{ {'; '.join(shown)} }}[]"
        relation = self._rows.get(function.type_oid)
        one = self._row(relation) if relation else self.type(function.type_oid)
        return f"{one}[]" if function.is_set and function.rows != 1 else one

    def _set_options(self, function: Function, returns: str) -> list[str]:
        """Return what lets the client embed the rows that a function returns."""
        target = self._schema.types.get(function.type_oid)
        if target is None or not target.relation or returns.startswith("{ error"):
            return []
        parameters = function.parameters
        source = self._schema.types.get(parameters[0].type_oid) if len(parameters) == 1 else None
        of_rows = source is not None and source.relation != 0
        return [
            "SetofOptions: {",
            f"  from: {json.dumps(source.name if of_rows and source else '*')}",
            f"  to: {json.dumps(target.name)}",
            f"  isOneToOne: {str(not function.is_set or function.rows == 1).lower()}",
            f"  isSetofReturn: {str(function.is_set).lower()}",
            "}",
        ]


def _nullable(shown: str, *, nullable: bool) -> str:
    if shown == "unknown":
        return shown
    if shown == "Json":
        # `Json` holds null: of a column that cannot be null it is another type.
        return "Json | null" if nullable else "NonNullable<Json>"
    return f"{shown} | null" if nullable else shown


def _error(text: str) -> str:
    return f"{{ error: true }} & {json.dumps(text)}"


def _path(relation: Relation) -> str:
    section = "Views" if relation.is_view else "Tables"
    return f'Database[{json.dumps(relation.schema)}]["{section}"][{json.dumps(relation.name)}]'


def _key(name: str) -> str:
    return name if _PLAIN.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def _block(name: str, lines: list[str]) -> list[str]:
    return [f"{_key(name)}: {{", *_indented(lines), "}"]


def _section(name: str, entries: list[list[str]]) -> list[str]:
    lines = [line for entry in entries for line in entry]
    return [f"{name}: {{", *_indented(lines or ["[_ in never]: never"]), "}"]


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" if line else line for line in lines]
