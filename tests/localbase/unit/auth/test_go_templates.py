"""auth.go_templates: the part of Go's template language that Supabase documents for mails."""

from __future__ import annotations

import pytest
from localbase.auth.messages.go_templates import Template, TemplateError

VALUES = {
    "Token": "123456",
    "SiteURL": "https://shop.example/?a=1&b=2",
    "RedirectTo": "https://shop.example/x?y=1&z=2#f",
    "Email": "<ann>@example.com",
    "Data": {"first": "Ann", "domain": "https://www.example.com", "age": 7, "tags": ["a", "b"], "vip": False},
}


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("plain", "plain"),
        ("{{ .Token }}", "123456"),
        ("{{.Token}}", "123456"),
        ("a {{- .Token -}} b", "a123456b"),
        ("{{ .Email }}", "&lt;ann&gt;@example.com"),
        ("{{ .Data.first }}/{{ .Data.age }}/{{ .Data.vip }}", "Ann/7/false"),
        ("{{ .Nothing }}{{ .Data.nothing.more }}{{ .Token.more }}", ""),
        ("{{/* a remark */}}x{{- /* another */ -}} y", "xy"),
        ('<a href="{{ .SiteURL }}">', '<a href="https://shop.example/?a=1&amp;b=2">'),
        (
            '<a href="{{ .SiteURL }}/go?token={{ .Token }}&next={{ .RedirectTo }}">',
            '<a href="https://shop.example/?a=1&amp;b=2/go?token=123456&next='
            'https%3A%2F%2Fshop.example%2Fx%3Fy%3D1%26z%3D2%23f">',
        ),
        (
            "<a href='/go?n={{ .RedirectTo }}'>{{ .Email }}</a>",
            "<a href='/go?n=https%3A%2F%2Fshop.example%2Fx%3Fy%3D1%26z%3D2%23f'>&lt;ann&gt;@example.com</a>",
        ),
        ("{{ if .Data.first }}yes{{ end }}", "yes"),
        ("{{ if .Data.vip }}yes{{ else }}no{{ end }}", "no"),
        ("{{ if .Data.none }}a{{ else if .Data.first }}b{{ else }}c{{ end }}", "b"),
        ('{{ if eq .Data.domain "https://www.example.com" }}a{{ else }}b{{ end }}', "a"),
        ('{{ if eq .Data.first "Bob" "Ann" }}a{{ end }}', "a"),
        ('{{ if ne .Data.first "Bob" }}a{{ end }}', "a"),
        ("{{ if and .Data.first (eq .Data.age 7) }}a{{ end }}", "a"),
        ("{{ if or .Data.none (not .Data.vip) }}a{{ end }}", "a"),
        ("{{ if eq .Data.first `Ann` }}a{{ end }}", "a"),
        ('{{ index .Data "first" }}{{ index .Data.tags 1 }}', "Annb"),
        ("{{ if .Data.first }}{{ if .Data.vip }}x{{ else }}y{{ end }}{{ end }}z", "yz"),
    ],
)
def test_templates_are_filled(source: str, text: str) -> None:
    assert Template(source).fill(VALUES) == text


def test_subjects_are_not_markup() -> None:
    assert Template("{{ .Email }}", markup=False).fill(VALUES) == "<ann>@example.com"


@pytest.mark.parametrize(
    "source",
    [
        "{{ .Token",
        "{{ if .Token }}open",
        "{{ end }}",
        "{{ else }}",
        "{{ if }}x{{ end }}",
        "{{ range .Data.tags }}{{ end }}",
        "{{ unknown .Token }}",
        "{{ eq }}",
        '{{ if and (eq .Token "1" }}x{{ end }}',
        "{{ .Token ) }}",
    ],
)
def test_unsupported_templates_are_rejected(source: str) -> None:
    with pytest.raises(TemplateError):
        Template(source)
