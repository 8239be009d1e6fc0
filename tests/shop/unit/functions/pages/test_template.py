"""Marks in a drawn page: texts are escaped by where they stand, and filled in once."""

from __future__ import annotations

import json
import re

import pytest
from _shared.pages.template import fill
from hypothesis import given
from hypothesis import strategies as st

PAGE = (
    '<style>a{}</style><script>const a = "__name__";</script>'
    '<script type="application/ld+json">{"name":"__name__","list":[{"of":"by __creator__"}],"n":1,'
    '"colors":["all",{"data-each":"colors","of":"__color_name__ of __name__"}]}</script>'
    '<title>__name__</title><ul><li class="x" data-each="colors">__color_name__ of __name__</li></ul>'
    '<img alt="__name__">'
)


def filled(name: str, colors: list[str]) -> str:
    return fill(
        PAGE, {"name": name, "creator": "Inky"}, {"colors": [{"color_name": each} for each in colors]}
    )


@given(name=st.text() | st.sampled_from(["</script>", "__creator__", '"onload="x', "<!--", "]]>", "\u2028"]))
def test_any_text_stays_text_in_markup_and_in_data(name: str) -> None:
    page = filled(name, [])
    (data,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    assert json.loads(data) == {"name": name, "list": [{"of": "by Inky"}], "n": 1, "colors": ["all"]}
    assert page.count("<script") == page.count("</script>") == 2
    assert 'const a = "__name__";' in page, "a script is its page's own, and its policy names it"
    (alt,) = re.findall(r'<img alt="([^"]*)">$', page)
    assert "<" not in alt


def test_element_of_a_list_is_repeated_with_values_of_its_own() -> None:
    page = filled("a & b", ["Black", "<Navy>"])
    items = re.findall(r"<li[^>]*>(.*?)</li>", page)
    assert items == ["Black of a &amp; b", "&lt;Navy&gt; of a &amp; b"]
    assert '"colors": ["all", {"of": "Black of a & b"}, {"of": "\\u003cNavy> of a & b"}]' in page
    assert "<ul></ul>" in filled("x", [])


def test_chosen_one_of_a_list_looks_as_the_second_sample() -> None:
    plain, chosen = '<li data-each="colors">%s</li>', '<li class="on" data-each="colors">%s</li>'
    page = f"<ul>{plain % '__color_name__'}{chosen % '__chosen__'}</ul>"
    colors = [{"color_name": name, "is_chosen": "yes" if name == "B" else ""} for name in "ABC"]
    expected = f"<ul>{plain % 'A'}{chosen % 'B'}{plain % 'C'}</ul>"
    assert fill(page, {"chosen": "B"}, {"colors": colors}) == expected


def test_mark_without_a_value_is_a_fault() -> None:
    with pytest.raises(KeyError):
        fill("<p>__price__</p>", {}, {})
