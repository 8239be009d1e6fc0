"""Suggestions for names that do not exist."""

from __future__ import annotations

from localbase.rest.suggestions import closest_match, ranked

KNOWN = ["public_designs", "product_variants", "orders"]


def test_misspelt_name_gets_the_closest_match() -> None:
    assert closest_match("public_design", KNOWN) == "public_designs"


def test_overlong_name_is_not_compared() -> None:
    # The comparison's time grows with both lengths: 59 kB of letters stopped the gateway for 13 s.
    assert ranked("public_designs" * 10, KNOWN) == []
