"""The shop's mail templates: the official CLI's and a hosted project's requirements, and their plain text."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
from localbase.auth.messages.mailer import plain_text

from tests.support.stacks import ROOT

TEMPLATES: dict[str, dict[str, Any]] = tomllib.loads((ROOT / "supabase-config.toml").read_text())["auth"][
    "email"
]["template"]
# https://supabase.com/docs/guides/auth/auth-email-templates
VARIABLES = {"ConfirmationURL", "Token", "TokenHash", "SiteURL", "RedirectTo", "Data", "Email", "NewEmail"}


def body_of(kind: str) -> str:
    return (ROOT / str(TEMPLATES[kind]["content_path"])).read_text(encoding="utf-8")


def test_every_mail_of_the_sign_in_service_has_the_shops_template() -> None:
    assert set(TEMPLATES) == {"confirmation", "recovery", "magic_link", "email_change", "invite"}
    assert all("Teesmith" in template["subject"] for template in TEMPLATES.values())


@pytest.mark.parametrize("kind", TEMPLATES)
def test_template_has_link_and_code_and_no_unknown_variable(kind: str) -> None:
    used = set(re.findall(r"\{\{\s*\.(\w+)\s*\}\}", body_of(kind)))
    assert {"ConfirmationURL", "Token"} <= used <= VARIABLES
    assert body_of(kind).count("{{") == len(re.findall(r"\{\{ \.\w+ \}\}", body_of(kind)))


@pytest.mark.parametrize("kind", TEMPLATES)
def test_template_loads_nothing_from_elsewhere_and_knows_dark_mode(kind: str) -> None:
    body = body_of(kind)
    assert not re.search(r"https?://|<img|<link|@import|url\(", body)
    assert "prefers-color-scheme: dark" in body


@pytest.mark.parametrize("kind", TEMPLATES)
def test_plain_text_has_paragraphs_and_the_link_first(kind: str) -> None:
    text = plain_text(body_of(kind).replace("{{ .ConfirmationURL }}", "https://shop/verify?a=1&amp;b=2"))
    paragraphs = text.strip().split("\n\n")
    assert paragraphs[0] == "Teesmith"
    assert all(paragraph == " ".join(paragraph.split()) for paragraph in paragraphs)
    assert re.findall(r"https?://\S+", text) == ["https://shop/verify?a=1&b=2"]
    assert "{{ .Token }}" in paragraphs
    assert "prefers-color-scheme" not in text


def test_plain_text_has_what_a_browser_shows() -> None:
    markup = (
        "<!doctype html><head><title>no</title><style>p { color: red }</style></head>"
        "<h2>Hello</h2><p>One\n  line &amp; <b>more</b></p><!-- no --><p>Two<br>lines</p>"
        '<p><a class="x" href="https://shop/a?b=1&amp;c=2">Go</a></p>'
    )
    assert plain_text(markup) == "Hello\n\nOne line & more\n\nTwo\n\nlines\n\nGo: https://shop/a?b=1&c=2\n"
