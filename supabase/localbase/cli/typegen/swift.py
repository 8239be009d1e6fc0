"""The types as Swift, for supabase-swift: an enum for each schema with structs of what is read and written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from localbase.cli.typegen.kinds import (
    OTHER_TEXTS,
    RANGES,
    TEXTS,
    TIMES,
    DistinctNames,
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
from localbase.cli.typegen.schema import Schema, Type

AccessControl = Literal["internal", "public", "private", "package"]
ACCESS_CONTROLS: tuple[AccessControl, ...] = ("internal", "public", "private", "package")
_TYPES = {
    "Bool": ("bool",),
    "Int16": ("int2",),
    "Int32": ("int4",),
    "Int64": ("int8",),
    "Float": ("float4",),
    "Double": ("float8",),
    "Decimal": ("numeric",),
    "UUID": ("uuid",),
    "String": (
        *TEXTS,
        "bytea",
        *TIMES,
        *RANGES,
        *OTHER_TEXTS,
    ),
}
_SIMPLE = {name: shown for shown, names in _TYPES.items() for name in names}
_ANY = "AnyJSON"
# https://docs.swift.org/swift-book/documentation/the-swift-programming-language/lexicalstructure/
_KEYWORDS = frozenset(
    (
        *("Any", "Protocol", "Self", "Type", "actor", "as", "associatedtype", "await", "break"),
        *("case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else"),
        *("enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if"),
        *("import", "in", "init", "inout", "internal", "is", "let", "nil", "open"),
        *(
            "operator",
            "precedencegroup",
            "private",
            "protocol",
            "public",
            "repeat",
            "rethrows",
            "return",
            "self",
        ),
        *("static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try"),
        *("typealias", "var", "where", "while"),
    )
)
# No type within another may have these names, not even in backticks.
_TYPE_NAMES = ("Type", "Protocol", "Self", "Any")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def swift_of(schema: Schema, access: AccessControl = "internal") -> str:
    """The whole file."""
    labelled = enums(schema)
    names = sorted({*schema.names, *(each.schema for each in labelled)})
    printer = _Printer(schema, access)
    lines = ["import Foundation", "import Supabase", ""]
    for name in names:
        lines += printer.schema_lines(name)
    return "\n".join(lines) + "\n"


class _Printer:
    def __init__(self, schema: Schema, access: AccessControl) -> None:
        self._schema = schema
        self._access = access
        self._type_names: dict[str, DistinctNames] = {}
        self._enums = {each.oid: (each.schema, self._type_name(each)) for each in enums(schema)}
        self._composites = {each.oid: (each.schema, self._type_name(each)) for each in composites(schema)}

    def _type_name(self, type_: Type) -> str:
        name = _type_identifier(capitalized(type_.name))
        return self._type_names.setdefault(type_.schema, DistinctNames()).take(name)

    def schema_lines(self, name: str) -> list[str]:
        """One schema."""
        type_names = self._type_names.setdefault(name, DistinctNames())
        body: list[str] = []
        for oid, (schema, shown) in self._enums.items():
            if schema == name:
                body += self._enum(shown, self._schema.types[oid].labels)
        for relation in ordered_relations(self._schema):
            if relation.schema == name:
                for section in sections_of(relation):
                    fields = [
                        (each.name, self._type(each.type, name, optional=is_optional(each, section)))
                        for each in ordered_columns(relation)
                    ]
                    struct = type_names.take(_type_identifier(capitalized(relation.name)) + section)
                    body += self._struct(struct, fields)
        for oid, (schema, shown) in self._composites.items():
            if schema == name:
                attributes = self._schema.types[oid].attributes
                body += self._struct(
                    shown, [(each, self._type(of, name, optional=True)) for each, of in attributes]
                )
        return self._block(f"enum {_type_identifier(capitalized(name))}Schema", body)

    def _enum(self, name: str, labels: Iterable[str]) -> list[str]:
        case_names = DistinctNames()
        cases = [f"case {_escaped(case_names.take(_property(label)))} = {_quoted(label)}" for label in labels]
        return self._block(f"enum {name}: String, Codable, Hashable, Sendable", cases)

    def _struct(self, name: str, fields: list[tuple[str, str]]) -> list[str]:
        property_names = DistinctNames()
        properties = [(property_names.take(_property(column)), type_, column) for column, type_ in fields]
        protocols = ["Codable", "Hashable", "Sendable"]
        if any(each == "id" for each, _, _ in properties):
            protocols.append("Identifiable")
        body = [f"{self._access} let {_escaped(each)}: {type_}" for each, type_, _ in properties]
        # An enum without cases has no raw type.
        if properties:
            keys = [f"case {_escaped(each)} = {_quoted(column)}" for each, _, column in properties]
            body += self._block("enum CodingKeys: String, CodingKey", keys)
        return self._block(f"struct {name}: {', '.join(protocols)}", body)

    def _block(self, head: str, body: list[str]) -> list[str]:
        return [f"{self._access} {head} {{", *(f"  {line}" for line in body), "}"]

    def _type(self, oid: int, within: str, *, optional: bool) -> str:
        kind = kind_of(self._schema, oid)
        qualified_name = (
            (self._enums if kind.is_enum else self._composites).get(kind.type.oid) if kind.type else None
        )
        if qualified_name:
            schema, name = qualified_name
            shown = name if schema == within else f"{_type_identifier(capitalized(schema))}Schema.{name}"
        else:
            shown = _SIMPLE.get(kind.plain_name, _ANY)
        if kind.arrays:
            shown = f"[{shown}]"
        return f"{shown}?" if optional else shown


def _type_identifier(name: str) -> str:
    if not name[:1].isalpha():
        name = f"T{name}"
    return f"{name}_" if name in _TYPE_NAMES else name


def _property(name: str) -> str:
    """`user_id` → `userId`."""
    first, *others = words_of(name) or ["empty"]
    camel_case = first[0].lower() + first[1:] + capitalized(*others)
    return camel_case if camel_case[0].isalpha() else f"_{camel_case}"


def _escaped(name: str) -> str:
    return f"`{name}`" if name in _KEYWORDS else name


def _quoted(text: str) -> str:
    shown = (_ESCAPES.get(sign) or (sign if sign.isprintable() else f"\\u{{{ord(sign):x}}}") for sign in text)
    return f'"{"".join(shown)}"'
