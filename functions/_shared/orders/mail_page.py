"""The look of the shop's mails, as the sign-in service's templates have it too (supabase/templates)."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

SOFT, LINE = "#5F564D", "#DDD3C2"
_FRAME = Path(__file__).with_name("mail_page.html").read_text(encoding="utf-8")
_PLACE = re.compile("@(TITLE|BODY|WHY)@")


def page(title: str, *parts: str) -> str:
    """A whole mail. `parts` are markup."""
    heading = (
        '<h1 class="ink" style="margin:0 0 12px;font-size:28px;line-height:1.15;font-weight:800;'
        f'letter-spacing:-0.03em;color:#1B1714;">{escape(title)}</h1>'
    )
    body = "\n".join(f"  {part}" for part in (heading, *parts))
    values = {"TITLE": escape(title), "BODY": body, "WHY": "The people at Teesmith"}
    return _PLACE.sub(lambda place: values[place[1]], _FRAME)


def paragraph(text: str) -> str:
    """`text` is no markup yet."""
    return f'<p class="ink" style="margin:0 0 14px;color:#1B1714;">{escape(text)}</p>'


def button(label: str, link: str) -> str:
    return (
        f'<p style="margin:20px 0 0;"><a href="{escape(link, quote=True)}" style="display:inline-block;'
        "padding:13px 22px;background:#F0492F;border:2px solid #1B1714;border-radius:10px;color:#1B1714;"
        f'font-weight:700;text-decoration:none;">{escape(label)}</a></p>'
    )
