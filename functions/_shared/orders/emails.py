"""E-mails to shoppers about their orders, and to the admin about orders and totals that need a person.

Each is a pair of Jinja templates in `templates/`: the text, which begins with the subject, and the HTML. `page.html` is
the frame, the same as of the sign-in service's mails (supabase/templates); `parts.html` has buttons and tables.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from _shared.catalog.pricing import delivery_estimate, dollars
from _shared.clients.smtp import Email
from _shared.core.owner_settings import owner_settings
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

_REASONS = {
    "amount_mismatch": "another amount was paid than it costs",
    "paid_twice": "it was paid a second time, and that payment was returned",
    "print_failed": "the printer does not take it",
    "printer_problem": "the printer reports a problem",
    "print_cancelled": "the printer has cancelled it",
    "print_order_missing": "the printer does not know its print order",
    "printed_twice": "two print orders exist for it",
    "printed_although_cancelled": "it is being printed although it was cancelled",
    "refund_failed": "its refund did not go through",
    "disputed": "the customer disputes the payment",
    "settle_failed": "its payment could not be looked up",
    "track_failed": "its print order could not be followed",
    "cancel_failed": "its cancellation could not be finished",
    "stop_print_failed": "its print order could not be ended",
    "message_failed": "a message about it could not be sent",
}


def render_email(kind: EmailKind, order: Order, site_url: str) -> Email:
    """A mail to the shopper."""
    return _render(
        kind,
        order.address.email,
        order=order,
        order_link=f"{site_url}/order-details/{order.id}",
        delivery_estimate=delivery_estimate(order.address.country),
        refund_time=owner_settings().policies.refund_time,
        shipping=dollars(order.shipping_cents) if order.shipping_cents else "Free",
        parcel=" ".join(part for part in (order.carrier, order.tracking_number) if part),
    )


def admin_alert(order: Order, to: str, reason: str, details: str, site_url: str) -> Email:
    """Reports a row of order_flags to the admin."""
    sentence = _REASONS.get(reason, reason.replace("_", " "))
    return _render(
        "admin_alert", to, order=order, reason=sentence, details=details, admin_link=f"{site_url}/admin"
    )


def total_alert(to: str, kind: str, wrong_rows: int, row: str, held: str, counted: str) -> Email:
    """Reports to the admin what the nightly check of the totals found."""
    return _render("total_alert", to, kind=kind, wrong_rows=wrong_rows, row=row, held=held, counted=counted)


def _render(template: str, to: str, **values: object) -> Email:
    head, _, text = TEMPLATES.get_template(f"{template}.txt").render(values).partition("\n\n")
    html = TEMPLATES.get_template(f"{template}.html").render(values)
    return Email(to, head.removeprefix("Subject: "), text.removesuffix("\n"), html)
