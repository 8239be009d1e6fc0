"""Types of names and labels that a language refuses, or that become the same name in it."""

from __future__ import annotations

import ast

from localbase.cli.typegen.go import go_of
from localbase.cli.typegen.python import MODEL_ATTRIBUTES, python_of
from localbase.cli.typegen.schema import Column, Relation, Schema, Type
from localbase.cli.typegen.swift import swift_of
from pydantic import BaseModel

_LABELS = ("self", "", "Two words", "two_words", 'quo"te', "new\nline", "1st", "bell\x07")
_COLUMNS = (
    "class",
    "default",
    "a b",
    "a_b",
    "1st",
    "schema",
    "model_dump",
    "_hidden",
    "mood",
    "`tick`",
    "ünder",
    "-",
)


def hostile() -> Schema:
    def type_of(oid: int, name: str, kind: str = "b", labels: tuple[str, ...] = ()) -> Type:
        return Type(oid, "public", name, kind, 0, 0, 0, None, labels, ())

    columns = [Column(name, 1, True, False, True) for name in _COLUMNS]
    columns[_COLUMNS.index("mood")] = Column("mood", 2, False, False, True)
    types = {1: type_of(1, "text"), 2: type_of(2, "type", "e", _LABELS)}
    relations = tuple(
        Relation("public", name, "r", oid, True, tuple(columns) if oid == 10 else ())
        for name, oid in (("2 names", 10), ("2_names", 11), ("empty", 12))
    )
    return Schema(("public",), types, relations, {}, ())


def test_python_is_valid_and_writes_the_columns_own_names() -> None:
    text = python_of(hostile())
    tree = ast.parse(text)
    names = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    assert names == [
        *("Public2Names", "Public2Names_2", "Public2NamesInsert_2", "Public2NamesUpdate_2"),
        *("PublicEmpty", "PublicEmptyInsert", "PublicEmptyUpdate"),
    ]
    made: dict[str, object] = {}
    exec(compile(text, "types", "exec", flags=0, dont_inherit=True), made)  # noqa: S102 - what is tested
    model, written = made["Public2Names"], made["Public2NamesInsert"]
    assert isinstance(model, type)
    assert issubclass(model, BaseModel)
    assert {field.alias for field in model.model_fields.values()} == set(_COLUMNS)
    assert getattr(written, "__annotations__").keys() == set(_COLUMNS)  # noqa: B009 - of a typed dictionary


def test_pydantics_attributes_are_all_known() -> None:
    public = {name for name in dir(BaseModel) if not name.startswith("_")}
    assert public == MODEL_ATTRIBUTES


def test_go_names_begin_with_a_capital_letter_each_once() -> None:
    text = go_of(hostile())
    structs = [line.split()[1] for line in text.splitlines() if line.startswith("type ")]
    assert structs[:4] == [
        "Public2NamesSelect",
        "Public2NamesInsert",
        "Public2NamesUpdate",
        "Public2NamesSelect_2",
    ]
    assert "type PublicEmptySelect struct{}" in text
    fields = [line.split()[0] for line in text.split("\n}")[0].splitlines()[3:]]
    assert fields == [
        *("X", "X1st", "Hidden", "Tick", "AB", "AB_2", "Class", "Default", "ModelDump", "Mood", "Schema"),
        "Ünder",
    ]
    assert '"json:\\"`tick`\\""' in text


def test_swift_escapes_its_words_and_texts() -> None:
    text = swift_of(hostile())
    assert "internal enum Type_: String, Codable, Hashable, Sendable {" in text
    cases = [line.strip() for line in text.splitlines() if line.startswith("    case ")]
    assert cases == [
        *(
            'case `self` = "self"',
            'case empty = ""',
            'case twoWords = "Two words"',
            'case twoWords_2 = "two_words"',
        ),
        *(
            r'case quoTe = "quo\"te"',
            r'case newLine = "new\nline"',
            'case _1st = "1st"',
            r'case bell = "bell\u{7}"',
        ),
    ]
    assert "internal let `class`: String?" in text
    assert "internal struct T2NamesSelect: Codable, Hashable, Sendable {" in text
    assert "internal struct EmptyInsert: Codable, Hashable, Sendable {\n  }" in text
