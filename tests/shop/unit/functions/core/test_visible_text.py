"""Invisible characters: one list for functions, web and SQL; a text of such characters alone is empty."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import pytest
from _shared.core.callers import Caller
from _shared.core.visible_text import clean_text, has_hidden_characters, is_blank
from _shared.designs.design_requests import PhotoRequest, TextRequest
from _shared.designs.stored_pictures import StoredPictures
from pydantic import BaseModel, ValidationError

from tests.shop.unit.functions.fakes import FakeDatabase, FakeStore
from tests.support.stacks import ROOT

SHARED = ROOT / "functions" / "_shared"
UNSEEN = (
    "\u3164", "\u2800", "\ufe0f", "\u034f", "\u115f", "\u1160", "\uffa0", "\u200b", "\u200c", "\u200d", "\u200e",
    "\u200f", "\u202a", "\u202e", "\u2060", "\u2066", "\u2069", "\ufeff", "\u00ad", "\u061c", "\u180e", "\u17b4",
    "\u00a0", "\u2003", "\u3000", "\U000e0041", "\U000e0100", "\x00", "\x7f", "\u0085", "\t", "\n", "\ufff9",
)  # fmt: skip
TEXT: dict[str, Any] = {
    "prompt": "A cat", "style": "Sketch", "mood": "dark", "background_color_name": "Black",
    "background_color_hex": "#1A1A1A",
}  # fmt: skip
PHOTO: dict[str, Any] = {
    "style": "Sketch", "background_color_name": "Black", "background_color_hex": "#1A1A1A",
}  # fmt: skip


@pytest.mark.parametrize("character", UNSEEN)
def test_text_of_unseen_characters_alone_is_empty(character: str) -> None:
    for text in (character, character * 3, f" {character}\u3164{character} "):
        assert is_blank(text)
        assert clean_text(text) == ""


@pytest.mark.parametrize("character", UNSEEN)
@pytest.mark.parametrize(
    ("model", "body", "field"),
    [
        (TextRequest, TEXT, "prompt"),
        (TextRequest, TEXT, "background_color_name"),
        (PhotoRequest, PHOTO, "style"),
    ],
)
def test_request_of_unseen_characters_is_refused_as_an_empty_one(
    model: type[BaseModel], body: dict[str, Any], field: str, character: str
) -> None:
    with pytest.raises(ValidationError) as empty:
        model.model_validate(body | {field: ""})
    with pytest.raises(ValidationError) as unseen:
        model.model_validate(body | {field: character * 2})
    assert [(error["loc"], error["msg"]) for error in unseen.value.errors()] == [
        (error["loc"], error["msg"]) for error in empty.value.errors()
    ]


def test_optional_texts_of_unseen_characters_are_empty() -> None:
    request = PhotoRequest.model_validate(PHOTO | {"instructions": "\u3164", "typography": "\ufe0f"})
    assert (request.instructions, request.typography) == ("", "")


@pytest.mark.parametrize(
    "text",
    [
        "A cat", "\u2764\ufe0f", "\U0001f469\u200d\U0001f680 in space", "\u2800\u2813\u280a", "\u6771\u4eac",
        "two\nlines\tand a tab", "\u05e9\u05dc\u05d5\u05dd \u200e(hello)", "\u1100\u1161",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e",
    ],
)  # fmt: skip
def test_longer_texts_keep_lines_emoji_and_every_script(text: str) -> None:
    assert clean_text(f"  {text} ") == text


def test_longer_texts_lose_controls_and_turned_direction() -> None:
    assert clean_text("\x00gnp\u202e.cat\x1b\u2066 \u2069") == "gnp.cat"


def test_every_control_and_format_character_of_unicode_is_hidden_or_blank() -> None:
    unlisted = [
        hex(number)
        for number in range(0x110000)
        # marks before a number or a syllable (Arabic, Syriac, Kaithi, hieroglyphs), which are seen
        if unicodedata.category(chr(number)) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp", "Zs")
        and number not in (*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD)
        and number not in range(0x13430, 0x13440)
        and not is_blank(chr(number))
    ]
    assert unlisted == []


def test_joiners_are_hidden_unless_they_join() -> None:
    assert not has_hidden_characters("\u0645\u06cc\u200c\u062e")
    assert has_hidden_characters("a\u200db")
    assert has_hidden_characters("\u200d")


def test_imported_copy_has_a_name_without_turned_direction() -> None:
    held: dict[str, object] = {
        "image_data": "x",
        "thumbnail_data": "y",
        "printify_product_id": None,
        "selected_colors": [],
        "style": None,
        "has_back": False,
    }
    row = held | {"id": "d1", "user_id": "a", "image_url": None, "current_version": None}
    for name, expected in (("gnp\u202etac", "gnptac"), ("\u3164", "Untitled Design"), ("Cat", "Cat")):
        data = FakeDatabase(designs=[row | {"name": name}])
        copy = StoredPictures(data, FakeStore()).copy_design(Caller(id="b"), "d1")
        assert data.tables["designs"][1] == held | {"id": copy, "user_id": "b", "name": expected}


def test_web_client_reads_the_same_list() -> None:
    web = SHARED.parents[1] / "web" / "src" / "lib" / "text" / "visible-text.ts"
    assert "functions/_shared/core/hidden_characters.json" in web.read_text()
    assert set(json.loads((SHARED / "core" / "hidden_characters.json").read_text())) == {
        "hidden",
        "blank",
        "stripped",
        "copied",
    }
