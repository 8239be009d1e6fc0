"""rest.role_path: paths into a token's claims, in both of upstream's notations."""

from __future__ import annotations

import pytest
from localbase.rest.role_path import find_in, parse_role_path

CLAIMS = {
    "role": "plain",
    "app role": "spaced",
    "app": {"roles": ["reader", "team_writer", "admin"], "by": {"x": "deep"}},
}


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("$.role", "plain"),
        (".role", "plain"),
        ('."app role"', "spaced"),
        ("$['app role']", "spaced"),
        ("$.app.roles[0]", "reader"),
        ("$.app.roles[-1]", "admin"),
        (".app.roles[1]", "team_writer"),
        ("$.app.by.*", "deep"),
        ("$.app.roles[*]", "reader"),
        ('$.app.roles[?(@ == "admin")]', "admin"),
        ('.app.roles[?(@ != "reader")]', "team_writer"),
        ('.app.roles[?(@ ^== "team_")]', "team_writer"),
        ('.app.roles[?(@ ==^ "min")]', "admin"),
        ('.app.roles[?(@ *== "_wri")]', "team_writer"),
        ('$.app.roles[?(@ == "nobody")]', None),
        ("$.app.roles[9]", None),
        ("$.role.deeper", None),
        ("$.app[0]", None),
    ],
)
def test_role_claim_path_finds_the_first_value(path: str, role: str | None) -> None:
    assert find_in(parse_role_path(path), CLAIMS) == role


@pytest.mark.parametrize("path", ["", "$", "role", "$.", ".role[", '.a[?(@ ~ "x")]', "$.a b"])
def test_invalid_role_claim_paths_are_rejected(path: str) -> None:
    with pytest.raises(ValueError, match="no path"):
        parse_role_path(path)
