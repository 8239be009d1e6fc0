"""Scenes, their boxes and their SVG: the table that the web client's tests read holds what is made here."""

from __future__ import annotations

import json
from typing import Any

import pytest
from _shared.core.errors import ShopError
from _shared.scene.scene import parse_scene

from tools.scene import examples, schema

EXAMPLES = json.loads(examples.FILE.read_text(encoding="utf-8"))


def test_written_schema_is_that_of_the_models() -> None:
    assert schema.FILE.read_text(encoding="utf-8") == schema.text()


def test_table_for_both_languages_is_what_is_made_here() -> None:
    assert examples.FILE.read_text(encoding="utf-8") == examples.text()


@pytest.mark.parametrize("scene", EXAMPLES["taken"])
def test_scene_within_the_limits_is_taken(scene: Any) -> None:
    assert parse_scene(scene).version == 1


@pytest.mark.parametrize("scene", EXAMPLES["refused"])
def test_other_values_are_refused_with_a_sentence(scene: Any) -> None:
    with pytest.raises(ShopError) as refused:
        parse_scene(scene)
    assert (refused.value.status, refused.value.code) == (400, "scene_invalid")


def test_large_scene_is_refused_before_it_is_read() -> None:
    with pytest.raises(ShopError):
        parse_scene({"version": 1, "front": [], "back": [], "more": "x" * 70_000})
    with pytest.raises(ShopError):
        parse_scene({"version": 1, "front": [float("nan")], "back": []})
