"""Any client text is parsed or rejected, and is never unquoted in SQL."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote

from hypothesis import given, settings
from hypothesis import strategies as st
from localbase.core.settings import ApiSettings
from localbase.core.web.http import Request
from localbase.postgres.schema_cache.cache import Catalog, Column, Relation
from localbase.rest.api_request.grammar.filter import Values, parse_logic, parse_operation, parse_tree_path
from localbase.rest.api_request.grammar.order import parse_order
from localbase.rest.api_request.grammar.parse_error import parse_error
from localbase.rest.api_request.grammar.query import parse_columns
from localbase.rest.api_request.grammar.scan import GrammarError
from localbase.rest.api_request.grammar.select import parse_select
from localbase.rest.api_request.request import parse_request
from localbase.rest.config import config_of
from localbase.rest.errors import RestError
from localbase.rest.plan.make import SchemaCache, make_plan
from localbase.rest.sql.statement import to_sql

from tests.support.random_cases import cases

_SIGNS = st.text(alphabet=" \"'\\()[]{},.:;-><!*&|%$#_@=0aAbeqintorndlsé€\0\n", max_size=40)


@settings(max_examples=cases(250))
@given(_SIGNS)
def test_any_text_is_parsed_or_rejected(text: str) -> None:
    parsers: dict[str, Callable[[str], object]] = {
        "select": parse_select,
        "order": parse_order,
        "tree path": parse_tree_path,
        "columns": parse_columns,
        "filter": lambda operation: parse_operation(operation, Values([])),
        "logic": lambda condition: parse_logic(condition, Values([])),
    }
    for rule, parser in parsers.items():
        try:
            parser(text)
        except GrammarError:
            line, column, sentence = parse_error(rule, text)
            assert (line >= 1, column >= 1) == (True, True)
            assert sentence.startswith("unexpected ")


def _column(name: str, type_: str) -> Column:
    return Column(name, 1, type_, type_, True, None, "", None, (), None)


_TABLE = Relation("public", "t", "r", None, True, True, True, ("id",), {"id": _column("id", "integer")})
_WORLD = SchemaCache(
    Catalog({("public", "t"): _TABLE}, (), (), {}, (), {}, {}, {}),
    {},
    config_of(ApiSettings(schemas=("public",))),
)
# A statement without its quoted names, literals and parameters has only these words and signs left.
_QUOTED = re.compile(r'"(?:[^"]|"")*"| E\'(?:[^\'\\]|\\.|\'\')*\'|\'(?:[^\']|\'\')*\'|\$\d+')
_OWN = re.compile(r"[A-Za-z_0-9 ,.()*=<>~@&|:+-]*\Z")
# Letters that a name may have and that no SQL of ours has.
_MARK = "жыя"


@settings(max_examples=cases(250))
@given(
    st.sampled_from(["select", "order", "id", "or", "not.and", "id->>k", "limit", "columns", "on_conflict"]),
    st.text(alphabet=_MARK + "\"'\\(),.:->;$* ", max_size=30),
    st.sampled_from(
        ["{0}", "eq.{0}", "in.({0})", "(id.eq.{0})", "id->>{0}", "id::{0}", "id,a:{0}", "fts({0}).{0}"]
    ),
)
def test_request_text_is_always_quoted_in_sql(name: str, text: str, form: str) -> None:
    query = f"{quote(name)}={quote(form.format(text))}"
    try:
        request = parse_request(Request("GET", "/t", query.encode(), {}), _WORLD.options)
        sql = to_sql(make_plan(request, _WORLD)).sql
    except RestError:
        return
    bare = _QUOTED.sub("", sql)
    assert _OWN.match(bare), bare
    assert ";" not in bare
