"""What we write: to shoppers about their orders, to the admin about orders that need a person. Text and HTML."""

from __future__ import annotations

from html import escape

from _shared.catalog.pricing import delivery_estimate, dollars
from _shared.clients.smtp import Email
from _shared.orders.mail_page import LINE, SOFT, button, page, paragraph
from _shared.orders.orders import Order


def confirmation(order: Order, site_url: str) -> Email:
    """Sent once, after payment."""
    estimate = delivery_estimate(order.address.country)
    shipping = dollars(order.shipping_cents) if order.shipping_cents else "Free"
    link = f"{site_url}/order-details/{order.id}"
    text = "\n".join(
        [
            f"Hello {order.address.first_name},",
            "",
            f"thank you! Your order {order.number} is paid, and your design is on its way to the press.",
            "",
            *(
                f"  {item.quantity} x {item.name}, {item.color}, {item.size}: "
                f"{dollars(item.quantity * item.unit_price_cents)}"
                for item in order.items
            ),
            f"  Shipping: {shipping}",
            f"  Total: {dollars(order.total_cents)}",
            "",
            f"Delivery: {estimate}, to",
            *(f"  {line}" for line in order.address.lines()),
            "",
            f"Your order: {link}",
            "",
            "The people at Teesmith",
        ]
    )
    html = page(
        f"Your order {order.number} is confirmed",
        paragraph(
            f"Hello {order.address.first_name}, thank you! Your unique design is on its way to the press."
        ),
        _items(order, shipping),
        paragraph(f"Delivery: {estimate}, to"),
        _address(order),
        button("See your order", link),
    )
    return Email(order.address.email, f"Your Teesmith order {order.number} is confirmed", text, html)


def shipping_notice(order: Order, site_url: str) -> Email:
    """Sent when the parcel is on its way."""
    link = order.tracking_url or f"{site_url}/order-details/{order.id}"
    parcel = " ".join(part for part in (order.carrier, order.tracking_number) if part)
    carried = f" with {parcel}" if parcel else ""
    text = "\n".join(
        [
            f"Hello {order.address.first_name},",
            "",
            f"your order {order.number} has been shipped{carried}.",
            f"Follow it: {link}",
            "",
            "It goes to",
            *(f"  {line}" for line in order.address.lines()),
            "",
            "The people at Teesmith",
        ]
    )
    html = page(
        f"Your order {order.number} is on its way",
        paragraph(f"Hello {order.address.first_name}, your shirts are on their way{carried}."),
        _address(order),
        button("Follow your parcel", link),
    )
    return Email(order.address.email, f"Your Teesmith order {order.number} has been shipped", text, html)


def cancellation(order: Order, site_url: str) -> Email:
    """Sent when a paid order was cancelled."""
    back = f"We return {dollars(order.total_cents)} to your card; banks take 5-7 business days to show it."
    return _note(
        order,
        site_url,
        subject=f"Your Teesmith order {order.number} is cancelled",
        paragraphs=(f"your order {order.number} is cancelled, and nothing of it will be printed.", back),
    )


def refund_notice(order: Order, site_url: str) -> Email:
    """Sent when a payment was given back."""
    amount = dollars(order.refunded_cents)
    return _note(
        order,
        site_url,
        subject=f"Your refund for Teesmith order {order.number}",
        paragraphs=(
            f"we have returned {amount} for your order {order.number} to the card that you paid with.",
            "Banks take 5-7 business days to show it.",
        ),
    )


def problem_notice(order: Order, site_url: str) -> Email:
    """Sent when printing is held up and a person looks into it."""
    return _note(
        order,
        site_url,
        subject=f"Your Teesmith order {order.number} takes a little longer",
        paragraphs=(
            f"something is holding up the printing of your order {order.number}. Your payment is safe, and one of us "
            "is looking into it.",
            "You need not do anything. If we cannot print your shirts, you get your money back.",
        ),
    )


def admin_alert(order: Order, to: str, reason: str, details: str, site_url: str) -> Email:
    """Reports the rows of order_flags to the admin."""
    sentence = _REASONS.get(reason, reason.replace("_", " "))
    link = f"{site_url}/admin"
    lines = [
        f"Order {order.number} ({order.id}) needs a person: {sentence}.",
        f"Status: {order.status}, total: {dollars(order.total_cents)}, payment: {order.payment_intent_id or 'none'}, "
        f"print order: {order.printify_order_id or 'none'}.",
        details,
    ]
    text = "\n\n".join([*(line for line in lines if line), f"Admin panel: {link}"])
    html = page(
        f"Order {order.number} needs a person",
        *map(paragraph, filter(None, lines)),
        button("Admin panel", link),
    )
    return Email(to, f"Teesmith order {order.number} needs a person: {sentence}", text, html)


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


def _note(order: Order, site_url: str, *, subject: str, paragraphs: tuple[str, ...]) -> Email:
    """A short e-mail: greeting, a few sentences, the way to the order."""
    link = f"{site_url}/order-details/{order.id}"
    first, *others = paragraphs
    text = "\n\n".join(
        [
            f"Hello {order.address.first_name},",
            first,
            *others,
            f"Your order: {link}",
            "The people at Teesmith",
        ]
    )
    html = page(
        subject.replace("Teesmith order", "order"),
        paragraph(f"Hello {order.address.first_name}, {first}"),
        *map(paragraph, others),
        button("See your order", link),
    )
    return Email(order.address.email, subject, text, html)


def _items(order: Order, shipping: str) -> str:
    cell = f'class="ink" style="padding:8px 0;border-bottom:1px solid {LINE}"'
    right = f'class="ink" style="padding:8px 0;border-bottom:1px solid {LINE};text-align:right"'
    rows = [
        f"<tr><td {cell}>{item.quantity} × {escape(item.name)}<br>"
        f'<small class="soft" style="color:{SOFT}">{escape(item.color)}, {escape(item.size)}</small></td>'
        f"<td {right}>{dollars(item.quantity * item.unit_price_cents)}</td></tr>"
        for item in order.items
    ]
    rows.append(f"<tr><td {cell}>Shipping</td><td {right}>{shipping}</td></tr>")
    rows.append(f"<tr><td {cell}><b>Total</b></td><td {right}><b>{dollars(order.total_cents)}</b></td></tr>")
    style = "width:100%;border-collapse:collapse;margin:16px 0"
    return f'<table role="presentation" style="{style}">{"".join(rows)}</table>'


def _address(order: Order) -> str:
    lines = "<br>".join(escape(line) for line in order.address.lines())
    return f'<p class="ink" style="margin:0 0 20px;color:#1B1714;">{lines}</p>'
