# ruff: noqa: E501 - a table reads by its lines
"""Schemas with instances, by keyword, and random ones: compared with the library that upstream's pg_jsonschema is."""

from __future__ import annotations

import random
from typing import Any

DRAFTS = {
    6: "http://json-schema.org/draft-06/schema#",
    7: "http://json-schema.org/draft-07/schema#",
    2019: "https://json-schema.org/draft/2019-09/schema",
    2020: "https://json-schema.org/draft/2020-12/schema",
}
_VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 1.0, 1.5, 10, 3.3, 1e30, "", "a", "ab", "äö", "\U0001f600", "1", "a b", [], [1], [1, 1.0], [1, "a"],
    ["a", "b", "c"], [[1], {"a": 1}], [1, 2, 3, 4], {}, {"a": 1}, {"a": "x", "b": 2}, {"b": 1}, {"c": [1]}, {"abc": 1, "a": None},
    {"a": {"a": {"a": 1}}}, {"a": [1, "a"], "b": {"c": 1}, "d": None},
]  # fmt: skip
VALUES = tuple(_VALUES)
SCHEMAS: dict[str, list[Any]] = {
    "booleans": [True, False, {}],
    "type": [{"type": each} for each in ("null", "boolean", "integer", "number", "string", "array", "object")]
    + [{"type": ["string", "null"]}, {"type": ["integer", "array"]}],
    "enum and const": [{"enum": [1, "a", None, [1, 1], {"a": 1}]}, {"const": 1}, {"const": {"a": 1}}, {"const": None}, {"enum": []}],
    "numbers": [{"multipleOf": 0.1}, {"multipleOf": 1.1}, {"multipleOf": 5}, {"maximum": 1}, {"minimum": 1},
                {"exclusiveMaximum": 1}, {"exclusiveMinimum": 1, "maximum": 10}],
    "strings": [{"maxLength": 1}, {"minLength": 2}, {"pattern": "^a"}, {"pattern": "[b-z]$"}, {"pattern": r"^\w+\b.$"},
                {"pattern": r"^(?<x>a|\d)*$"}, {"pattern": "a.b|[^a-b ]"}, {"minLength": 1.0}],
    "arrays": [{"maxItems": 1}, {"minItems": 2}, {"uniqueItems": True}, {"uniqueItems": False}],
    "items": [{"items": {"type": "integer"}}, {"items": False}, {"items": True}, {"items": {"items": {"type": "integer"}}}],
    "lists of items": [{"items": [{"type": "integer"}, {"type": "string"}]}, {"items": [{"type": "integer"}], "additionalItems": False},
              {"items": [True], "additionalItems": {"type": "string"}}, {"items": [{}], "unevaluatedItems": False}],
    "prefixItems": [{"prefixItems": [{"type": "integer"}]}, {"prefixItems": [{"type": "integer"}], "items": False},
                    {"prefixItems": [True, True], "items": {"type": "string"}}, {"additionalItems": False}],
    "contains": [{"contains": {"type": "integer"}}, {"contains": {"const": 1}, "maxContains": 1}, {"contains": True, "minContains": 2},
                 {"contains": {"type": "string"}, "minContains": 0}, {"minContains": 3}],
    "objects": [{"maxProperties": 1}, {"minProperties": 2}, {"required": ["a"]}, {"required": []}, {"required": ["a", "b"]}],
    "properties": [{"properties": {"a": {"type": "integer"}}}, {"properties": {"a": False}},
                   {"properties": {"a": {}}, "additionalProperties": False},
                   {"properties": {"a": {}}, "patternProperties": {"^b|c": {"type": "integer"}}, "additionalProperties": False},
                   {"additionalProperties": {"type": "integer"}}, {"patternProperties": {"a": {"type": "integer"}}},
                   {"propertyNames": {"maxLength": 1}}, {"propertyNames": False}],
    "dependencies": [{"dependentRequired": {"a": ["b"]}}, {"dependentSchemas": {"a": {"required": ["b"]}}},
                     {"dependencies": {"a": ["b"]}}, {"dependencies": {"a": {"maxProperties": 1}, "b": False}}],
    "logic": [{"allOf": [{"type": "integer"}, {"minimum": 1}]}, {"anyOf": [{"type": "integer"}, {"minLength": 2}]},
              {"oneOf": [{"type": "integer"}, {"minimum": 1}]}, {"not": {"type": "integer"}}, {"not": {}},
              {"if": {"type": "integer"}, "then": {"minimum": 1}, "else": {"type": "string"}}, {"if": True, "then": False}, {"then": False}],
    "references": [{"$ref": "#/definitions/a", "definitions": {"a": {"type": "integer"}}, "maximum": 0},
                   {"properties": {"a": {"$ref": "#"}}, "additionalProperties": False},
                   {"allOf": [{"$ref": "#/definitions/x~1y~0z%25"}], "definitions": {"x/y~z%": {"type": "string"}}},
                   {"items": {"$ref": "#/properties/b"}, "properties": {"b": {"type": "integer"}}},
                   {"anyOf": [{"$ref": "#/allOf/0"}], "allOf": [{"type": ["integer", "object"]}]}],
    "addresses": [{"$id": "http://x.example/root.json", "allOf": [{"$ref": "item.json"}],
                   "definitions": {"i": {"$id": "item.json", "type": "integer"}}},
                  {"$id": "http://x.example/a/root.json", "allOf": [{"$ref": "http://x.example/b/i.json#/definitions/q"}],
                   "definitions": {"i": {"$id": "../b/i.json", "definitions": {"q": {"type": "string"}}}}},
                  {"$id": "http://x.example/r", "properties": {"a": {"$id": "/n/", "$ref": "#/definitions/t", "definitions": {"t": {"type": "array"}}}},
                   "definitions": {"t": {"type": "string"}}}],
    "anchors": [{"$ref": "#n", "$defs": {"a": {"$anchor": "n", "type": "integer"}}},
                {"$id": "http://x.example/r", "$ref": "s#n", "$defs": {"a": {"$id": "s", "$defs": {"b": {"$anchor": "n", "type": "integer"}}}}}],
    "ids as anchors": [{"allOf": [{"$ref": "#n"}], "definitions": {"a": {"$id": "#n", "type": "integer"}}}],
    "dynamic references": [
        {"$id": "http://x.example/strict", "$dynamicAnchor": "node", "$ref": "tree", "unevaluatedProperties": False,
         "$defs": {"t": {"$id": "tree", "$dynamicAnchor": "node", "properties": {"a": {"$dynamicRef": "#node"}}}}},
        {"$id": "http://x.example/l", "$ref": "list", "$defs": {"of": {"$dynamicAnchor": "of", "type": "integer"},
         "list": {"$id": "list", "items": {"$dynamicRef": "#of"}, "$defs": {"d": {"$dynamicAnchor": "of"}}}}}],
    "unevaluated": [{"properties": {"a": {}}, "unevaluatedProperties": False},
                    {"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": False},
                    {"anyOf": [{"required": ["a"], "properties": {"a": {}}}, {"required": ["b"], "properties": {"b": {}}}], "unevaluatedProperties": False},
                    {"not": {"not": {"properties": {"a": {}}}}, "unevaluatedProperties": False},
                    {"if": {"required": ["a"], "properties": {"a": {}}}, "then": {"properties": {"b": {}}}, "unevaluatedProperties": {"type": "array"}},
                    {"$ref": "#/$defs/x", "$defs": {"x": {"properties": {"a": {}}}}, "unevaluatedProperties": False},
                    {"dependentSchemas": {"a": {"properties": {"a": {}, "b": {}}}}, "unevaluatedProperties": False},
                    {"allOf": [{"unevaluatedProperties": True}], "unevaluatedProperties": False},
                    {"unevaluatedItems": False}, {"contains": {"const": 1}, "unevaluatedItems": False},
                    {"allOf": [{"contains": {"type": "integer"}}], "unevaluatedItems": {"type": "string"}}],
    "unevaluated after prefixes": [{"prefixItems": [True], "unevaluatedItems": False},
                    {"allOf": [{"prefixItems": [True, True]}], "prefixItems": [True], "unevaluatedItems": {"type": "string"}}],
    "unknown": [{"types": "integer", "x-b": {"type": "nothing"}, "default": 1, "title": "t", "$comment": "c"}, {"format": "nonsense"}],
}  # fmt: skip
# Keywords that some drafts know under another meaning.
ONLY = {
    "lists of items": (6, 7, 2019),
    "ids as anchors": (6, 7),
    "prefixItems": (2020,),
    "unevaluated after prefixes": (2020,),
    "dynamic references": (2020,),
    "anchors": (2019, 2020),
}
FORMATS: dict[str, list[str]] = {
    "date": ["2026-11-25", "2026-02-29", "2024-02-29", "2026-13-01", "26-1-1", "2026-11-25x"],
    "date-time": [
        "2026-11-25T10:00:00Z",
        "2026-11-25T10:00:00.5+01:00",
        "2026-11-25 10:00",
        "2026-11-25T25:00:00Z",
    ],
    "time": ["10:00:00Z", "10:00:00+01:00", "10:00", "24:00:00Z"],
    "email": ["a@b.example", "a", "@b", "a@", "a.b@c", ".a@b"],
    "hostname": ["a.example", "-a", "a_b", "a" * 64, ""],
    "ipv4": ["127.0.0.1", "256.0.0.1", "1.2.3", "01.1.1.1"],
    "ipv6": ["::1", "fe80::1", "1.2.3.4", ":::", "::ffff:1.2.3.4", "::1/64"],
    "uri": ["http://a.example/b?c#d", "a/b", "urn:x:y", "http://a b", "//a"],
    "uri-reference": ["a/b", "#a", "a b", "http://a", "\\a"],
    "uri-template": ["http://a/{b}", "{", "a{+b,c*}"],
    "json-pointer": ["", "/a/b", "a", "/~2", "/~0~1"],
    "regex": ["^a$", "(", "[a-", r"\d+"],
    "idn-email": ["ä@b.example", "a"],
}


class Fuzz:
    """Random schemas and instances of a seed; small names and numbers, so that they meet."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def instance(self, depth: int = 3) -> Any:
        draw = self._random
        kind = draw.choice("bnisao" if depth else "bnis")
        if kind == "b":
            return draw.choice([None, True, False])
        if kind in "ni":
            return draw.choice([0, 1, 2, 3, -1, 1.5, 2.0, 0.3])
        if kind == "s":
            return draw.choice(["", "a", "b", "ab", "ba", "abc"])
        if kind == "a":
            return [self.instance(depth - 1) for _ in range(draw.randrange(4))]
        return {draw.choice("abcd"): self.instance(depth - 1) for _ in range(draw.randrange(4))}

    def schema(self, draft: int) -> Any:
        made = self._schema(draft, 3)
        if not isinstance(made, dict):
            return made
        return {
            **made,
            "$schema": DRAFTS[draft],
            "definitions": {name: self._schema(draft, 2, refer=False) for name in "pq"},
        }

    def _schema(self, draft: int, depth: int, *, refer: bool = True) -> Any:
        draw = self._random
        if depth == 0 or draw.random() < 0.1:
            return draw.choice(
                [
                    True,
                    False,
                    {},
                    {"type": "integer"},
                    {"type": "string"},
                    {"type": ["object", "array", "null"]},
                ]
            )
        makers: dict[str, Any] = {
            "type": lambda: draw.choice(
                ["integer", "number", "string", "array", "object", ["null", "boolean", "object"]]
            ),
            "enum": lambda: [self.instance(1) for _ in range(3)],
            "minimum": lambda: draw.choice([0, 1, 1.5]),
            "exclusiveMaximum": lambda: draw.choice([1, 2]),
            "multipleOf": lambda: draw.choice([0.1, 0.5, 2]),
            "maxLength": lambda: draw.randrange(3),
            "pattern": lambda: draw.choice(["^a", "b$", "[^a]", "a+b?$"]),
            "minItems": lambda: draw.randrange(3),
            "uniqueItems": lambda: True,
            "required": lambda: draw.sample("abc", draw.randrange(3)),
            "maxProperties": lambda: draw.randrange(3),
            "properties": lambda: {name: inner() for name in draw.sample("abcd", 2)},
            "patternProperties": lambda: {draw.choice(["a|b", "^c", "d$"]): inner()},
            "additionalProperties": lambda: inner(),
            "propertyNames": lambda: inner(),
            "items": lambda: inner() if draft == 2020 or draw.random() < 0.5 else [inner(), inner()],
            "contains": lambda: inner(),
            "allOf": lambda: [inner(), inner()],
            "anyOf": lambda: [inner(), inner()],
            "oneOf": lambda: [inner(), inner()],
            "not": lambda: inner(),
        }
        if draft < 2020:
            makers["additionalItems"] = lambda: inner()
        else:
            makers["prefixItems"] = lambda: [inner()]
        if draft > 6:
            makers |= {name: (lambda: inner()) for name in ("if", "then", "else")}
        if draft > 7:
            makers |= {
                "unevaluatedProperties": lambda: inner(),
                "unevaluatedItems": lambda: inner(),
                "dependentSchemas": lambda: {draw.choice("ab"): inner()},
                "dependentRequired": lambda: {draw.choice("ab"): ["c"]},
                "minContains": lambda: draw.randrange(3),
                "maxContains": lambda: draw.randrange(3),
            }
        if refer:
            makers["$ref"] = lambda: draw.choice(["#/definitions/p", "#/definitions/q"])

        def inner() -> Any:
            return self._schema(draft, depth - 1, refer=refer)

        return {name: makers[name]() for name in draw.sample(sorted(makers), draw.randrange(1, 5))}
