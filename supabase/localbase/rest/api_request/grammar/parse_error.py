"""The words of upstream's parser for a text that does not fit: the place, and the sentence for `details`.

Upstream's grammar, rule by rule (`ApiRequest/QueryParams.hs`), over recognizers that fail as its parser library does.
Only texts that the parsers of this package have rejected come here.
"""

from __future__ import annotations

from functools import lru_cache

from localbase.rest.api_request.grammar import parsec
from localbase.rest.api_request.grammar.parsec import (
    Outcome,
    Parser,
    ahead,
    attempt,
    char,
    either,
    end_of_input,
    labelled,
    many,
    many_once,
    none_of,
    not_followed_by,
    optional,
    separated,
    sequence,
    sign,
    string,
)

MOST_EXPLAINED = 1000
"""Finding the words takes up to 0.04 ms a character, in the event loop: a mistake behind this place gets none."""
_UNEXPLAINED = (
    f"unexpected input after the first {MOST_EXPLAINED} characters, the only ones that are explained"
)
# A word of the grammar that begins this close to the end may be cut off there.
_LONGEST_WORD = 16


def parse_error(rule: str, text: str) -> tuple[int, int, str]:
    """Line, column and sentence. `rule` names what was to be read: a key of `RULES`."""
    part = text[:MOST_EXPLAINED]
    outcome = RULES[rule](part, 0)
    place = outcome.failure.place
    if len(part) < len(text) and (outcome.fits or place > len(part) - _LONGEST_WORD):
        return *parsec.position(part, len(part)), _UNEXPLAINED
    return *parsec.position(part, place), parsec.sentence(outcome.failure)


def fits(rule: str, text: str) -> bool:
    """Tell whether upstream reads the text. What follows the part that it reads does not matter to it."""
    return RULES[rule](text, 0).fits


def _lexeme(parser: Parser) -> Parser:
    blanks = many(sign(lambda character: character in " \t"))
    return sequence(blanks, parser, blanks)


def _later(name: str) -> Parser:
    """A rule that is defined further down."""
    return lambda text, place: _RECURSIVE[name](text, place)


def _is_digit(character: str) -> bool:
    return character in "0123456789"


_letter = sign(str.isalpha, "letter")
_digit = sign(_is_digit, "digit")
_delimiter = labelled(char("."), "delimiter (.)")
_identifier = many_once(either(_letter, _digit, sign(lambda character: character in "_ $")))
_quoted = sequence(
    char('"'), many(either(none_of('\\"'), sequence(char("\\"), sign(lambda _: True)))), char('"')
)
_dash = attempt(sequence(char("-"), not_followed_by(char(">"))))
# Alternatives read the same name again: an alias, a relation, a column.
_field_name = lru_cache(maxsize=64)(
    labelled(either(_quoted, separated(_identifier, _dash)), "field name (* or [a..z0..9_$])")
)

_json_key = labelled(
    either(_quoted, separated(many_once(none_of("(-:.,>)")), _dash)),
    "any non reserved character different from: .,>()",
)
_index_end = either(*(attempt(ahead(string(word))) for word in ("->", "::", ".", ",")), attempt(end_of_input))
_json_index = sequence(optional(char("-")), many_once(_digit), _index_end)
_json_arrow = either(attempt(string("->>")), attempt(string("->")))
_json_path = many(sequence(_json_arrow, either(attempt(_json_index), attempt(_json_key))))
_field = _lexeme(sequence(_field_name, optional(_json_path)))

_alias = optional(attempt(sequence(_field_name, char(":"), not_followed_by(char(":")))))
_embed_parameter = sequence(
    char("!"), either(attempt(string("left")), attempt(string("inner")), attempt(_field_name))
)
_embed_parameters = sequence(optional(_embed_parameter), optional(_embed_parameter))
_opens = attempt(ahead(string("(")))
_cast = optional(sequence(string("::"), _identifier))
_item_end = either(attempt(ahead(string(")"))), attempt(ahead(string(","))), attempt(end_of_input))
_aggregate = either(
    string("sum"), string("avg"), string("count"), attempt(string("max")), attempt(string("min"))
)
_aggregate_call = optional(attempt(sequence(char("."), _aggregate, string("()"))))


def _relation_name(text: str, place: int) -> Outcome:
    """`count` is no relation's name: it is the aggregate's."""
    outcome = _field_name(text, place)
    if outcome.fits and text[place : outcome.end].strip().strip('"') == "count":
        return sequence(_field_name, parsec.never)(text, place)
    return outcome


_select_relation = _lexeme(sequence(_alias, _relation_name, _embed_parameters, _opens))
_select_spread = _lexeme(sequence(string("..."), _field_name, _embed_parameters, _opens))
_select_field = _lexeme(
    either(
        attempt(sequence(string("*"), _item_end)),
        attempt(sequence(_alias, string("count()"), _cast, _item_end)),
        sequence(_alias, _field, _cast, _aggregate_call, _cast, _item_end),
    )
)
_items = sequence(char("("), _later("select"), char(")"))
_select_item = either(
    sequence(attempt(_select_spread), _items), sequence(attempt(_select_relation), _items), _select_field
)
_select = optional(separated(_select_item, _lexeme(char(","))))

_list_element = either(
    attempt(sequence(_quoted, not_followed_by(none_of(",)")))),
    many(none_of(",)")),
)
_list = sequence(_lexeme(char("(")), separated(_list_element, char(",")), _lexeme(char(")")))
_anything = many(sign(lambda _: True))


def _in_any_case(word: str) -> Parser:
    return sequence(*(either(char(letter), char(letter.upper())) for letter in word))


_is_value = labelled(
    either(*(attempt(_in_any_case(word)) for word in ("null", "not_null", "true", "false", "unknown"))),
    "isVal: (null, not_null, true, false, unknown)",
)
_OPERATOR = "unknown single value operator"
_simple = labelled(
    either(*(attempt(string(word)) for word in ("neq", "cs", "cd", "ov", "sl", "sr", "nxr", "nxl", "adj"))),
    _OPERATOR,
)
_quantified = labelled(
    either(
        *(
            attempt(string(word))
            for word in ("eq", "gte", "gt", "lte", "lt", "like", "ilike", "match", "imatch")
        )
    ),
    _OPERATOR,
)
_quantifier = optional(attempt(sequence(char("("), either(attempt(string("any")), string("all")), char(")"))))
_search = either(*(attempt(string(word)) for word in ("fts", "plfts", "phfts", "wfts")))
_language = optional(attempt(sequence(char("("), _identifier, char(")"))))


def _operation(value: Parser) -> Parser:
    """An operator with its operand, `value` being how plain ones are read."""
    return sequence(
        either(attempt(sequence(string("not"), _delimiter)), parsec.nothing),
        labelled(
            either(
                sequence(attempt(sequence(string("in"), _delimiter)), _list),
                sequence(attempt(sequence(string("is"), _delimiter)), _is_value),
                sequence(attempt(sequence(string("isdistinct"), _delimiter)), value),
                attempt(sequence(_search, _language, _delimiter, value)),
                attempt(sequence(_simple, _delimiter, value)),
                attempt(sequence(_quantified, _quantifier, _delimiter, value)),
            ),
            "operator (eq, gt, ...)",
        ),
    )


_nulls = either(
    attempt(sequence(_delimiter, string("nullsfirst"))), attempt(sequence(_delimiter, string("nullslast")))
)
_direction = either(
    attempt(sequence(_delimiter, string("asc"))), attempt(sequence(_delimiter, string("desc")))
)
_term_end = either(attempt(ahead(char(","))), attempt(end_of_input))
_sorting = sequence(optional(_direction), either(sequence(optional(_nulls), _term_end), _term_end))
_related_term = sequence(_field_name, char("("), _field, char(")"), _sorting)
_order = separated(_lexeme(either(attempt(_related_term), sequence(_field, _sorting))), char(","))

_array = sequence(string("{"), many(none_of("{}")), string("}"))
_nested_value = either(
    attempt(sequence(_quoted, not_followed_by(none_of(",)")))), attempt(_array), many(none_of(",)"))
)
_nested_filter = sequence(_field, _delimiter, _operation(_nested_value))
_negation = labelled(
    either(attempt(sequence(string("not"), _delimiter)), parsec.nothing), "negation operator (not)"
)
_logic_operator = labelled(either(attempt(string("and")), string("or")), "logic operator (and, or)")
_logic = either(
    attempt(_nested_filter),
    sequence(
        _negation,
        _logic_operator,
        _lexeme(char("(")),
        separated(_later("logic"), _lexeme(char(","))),
        _lexeme(char(")")),
    ),
)
_path = separated(_field_name, _delimiter)

_RECURSIVE: dict[str, Parser] = {"select": _select, "logic": _logic}
RULES: dict[str, Parser] = {
    **_RECURSIVE,
    "filter": _operation(_anything),
    "order": _order,
    "tree path": sequence(_path, optional(_json_path)),
    "logic path": _path,
    "columns": separated(_field_name, _lexeme(char(","))),
}
