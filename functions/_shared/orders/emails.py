"""E-mails to shoppers about their orders, to owners about their designs, and to the admin about what needs a person.

Each is a pair of Jinja templates in `templates/`: the text, which begins with the subject, and the HTML. `page.html` is
the frame, the same as of the sign-in service's mails (supabase/templates); `parts.html` has buttons and tables.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from _shared.catalog.pricing import delivery_estimate, dollars
from _shared.clients.smtp import Email
from _shared.core.owner_settings import owner_settings
from _shared.orders.order_links import OrderLink, OrderLinks, account_number_of, number_of
from _shared.orders.orders import Order

EmailKind = Literal["confirmation", "shipped", "cancelled", "refunded", "problem"]

TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=select_autoescape(["html"]),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
TEMPLATES.filters["dollars"] = dollars

_REASONS: Mapping[str, str] = json.loads(
    Path(__file__).with_name("flag_reasons.json").read_text(encoding="utf-8")
)


def render_email(kind: EmailKind, order: Order, links: OrderLinks, site_url: str) -> Email:
    """A mail to the shopper. Its button opens the order's page without signing in; the account's page comes second."""
    settings = owner_settings()
    email = _render(
        kind,
        order.address.email,
        order=order,
        track_link=links.address(OrderLink(order.id, order.link_version)),
        order_link=f"{site_url}/order-details/{order.id}",
        account_number=account_number_of(order.id),
        delivery_estimate=delivery_estimate(order.address.country),
        refund_time=settings.policies.refund_time,
        support_email=settings.support_email,
        shipping=dollars(order.shipping_cents) if order.shipping_cents else "Free",
        parcel=" ".join(part for part in (order.carrier, order.tracking_number) if part),
    )
    return replace(email, reply_to=settings.support_email)


def admin_alert(order: Order, to: str, reason: str, details: str, site_url: str) -> Email:
    """Reports a row of order_flags to the admin."""
    sentence = _REASONS.get(reason, reason.replace("_", " "))
    return _render(
        "admin_alert",
        to,
        order=order,
        reason=sentence,
        details=details,
        admin_link=f"{site_url}/admin?tab=orders",
    )


def total_alert(to: str, kind: str, wrong_rows: int, row: str, held: str, counted: str) -> Email:
    """Reports to the admin what the nightly check of the totals found."""
    return _render("total_alert", to, kind=kind, wrong_rows=wrong_rows, row=row, held=held, counted=counted)


def payment_alert(to: str, difference: Mapping[str, object], why: str) -> Email:
    """Reports to the admin a payment that the books do not have as Stripe does."""
    order = str(difference["order_id"] or "")
    number = number_of(order) if order else ""
    return _render("payment_alert", to, **difference, number=number, why=why)


def design_decision(
    to: str,
    name: str,
    design_name: str,
    *,
    is_restored: bool,
    is_public: bool,
    reason: str,
    note: str,
    site_url: str,
) -> Email:
    """Tells an owner that their design was taken down, or restored. Answers go to the shop's support."""
    settings = owner_settings()
    email = _render(
        "design_restored" if is_restored else "design_taken_down",
        to,
        name=name,
        design=_in_subject(design_name),
        is_public=is_public,
        reason=reason,
        note=note,
        dashboard_link=f"{site_url}/dashboard",
        terms_link=f"{site_url}/terms-of-service",
        support_email=settings.support_email,
    )
    return replace(email, reply_to=settings.support_email)


def report_alert(to: str, design_name: str, cases: int, reason: str, *, site_url: str) -> Email:
    """Tells the shop that a design was reported, and how many wait for a decision."""
    return _render(
        "design_reported",
        to,
        design=_in_subject(design_name),
        cases=cases,
        reason=reason,
        admin_link=f"{site_url}/admin?tab=designs",
    )


def _in_subject(design_name: str) -> str:
    """The name in one short line."""
    return textwrap.shorten(" ".join(design_name.split()), 60, placeholder="…") or design_name[:60]


def _render(template: str, to: str, **values: object) -> Email:
    head, _, text = TEMPLATES.get_template(f"{template}.txt").render(values).partition("\n\n")
    html = TEMPLATES.get_template(f"{template}.html").render(values)
    return Email(to, head.removeprefix("Subject: "), text.removesuffix("\n"), html)
