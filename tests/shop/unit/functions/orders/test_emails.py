"""E-mails: the whole order in text and HTML, names never as markup, and the frame of all mails."""

import re
from dataclasses import replace
from typing import Any, get_args

import pytest
from _shared.orders.emails import TEMPLATES, EmailKind, admin_alert, render_email
from _shared.orders.order_links import OrderLink
from jinja2 import UndefinedError

from tests.shop.unit.functions.samples import LINKS, ORDER
from tests.support.stacks import ROOT

TRACK = LINKS.address(OrderLink(ORDER.id, ORDER.link_version))
SUPPORT = "mailto:support@teesmith.example"
CANCELLED = f"""\
Hello Ann,

your order #6ABCDE is cancelled, and nothing of it will be printed.

We return $45.70 to your card; banks take 5-7 business days to show it.

Your order: {TRACK}
In your account, as #556ABCDE: https://shop/order-details/11111111-2222-4333-8444-5555556abcde

Questions? Answer this mail, or write to support@teesmith.example.

The people at Teesmith"""
REFUNDED = f"""\
Hello Ann,

we have returned $45.70 for your order #6ABCDE to the card that you paid with.

Banks take 5-7 business days to show it.

Your order: {TRACK}
In your account, as #556ABCDE: https://shop/order-details/11111111-2222-4333-8444-5555556abcde

Questions? Answer this mail, or write to support@teesmith.example.

The people at Teesmith"""
PROBLEM = f"""\
Hello Ann,

something is holding up the printing of your order #6ABCDE. Your payment is safe, and one of us is looking into it.

You need not do anything. If we cannot print your shirts, you get your money back.

Your order: {TRACK}
In your account, as #556ABCDE: https://shop/order-details/11111111-2222-4333-8444-5555556abcde

Questions? Answer this mail, or write to support@teesmith.example.

The people at Teesmith"""


def test_confirmation_lists_the_whole_order() -> None:
    email = render_email("confirmation", ORDER, LINKS, "https://shop")
    assert (email.to, email.subject) == ("ann@example.com", "Your Teesmith order #6ABCDE is confirmed")
    for part in (
        "2 x Cat & <b>dog</b>, Black, M: $39.80",
        "Shipping: $5.90",
        "Total: $45.70",
        "Delivery: 10-30 business days",
        "Toronto ON M5H 1A1\n  Canada\n",
        f"Your order: {TRACK}\n",
        f"In your account, as #556ABCDE: https://shop/order-details/{ORDER.id}\n",
    ):
        assert part in email.text


def test_design_name_is_escaped_in_html() -> None:
    html = render_email("confirmation", ORDER, LINKS, "https://shop").html
    assert "Cat &amp; &lt;b&gt;dog&lt;/b&gt;" in html
    assert "<b>dog</b>" not in html


def test_confirmation_within_the_us_says_free_shipping() -> None:
    home = replace(ORDER, shipping_cents=0, address=ORDER.address.model_copy(update={"country": "US"}))
    assert "Shipping: Free" in render_email("confirmation", home, LINKS, "https://shop").text


def test_shipping_email_links_to_the_tracking_page() -> None:
    shipped = replace(ORDER, carrier="USPS", tracking_number="940011", tracking_url="https://track/940011")
    email = render_email("shipped", shipped, LINKS, "https://shop")
    assert "has been shipped with USPS 940011" in email.text
    addresses = [TRACK, "https://track/940011", f"https://shop/order-details/{ORDER.id}"]
    assert re.findall(r'href="([^"]+)"', email.html) == [*addresses, SUPPORT]
    assert re.findall(r"https://\S+", email.text) == addresses
    without = render_email("shipped", ORDER, LINKS, "https://shop")
    assert re.findall(r"https://\S+", without.text) == [TRACK, f"https://shop/order-details/{ORDER.id}"]


def test_address_ends_with_the_name_of_the_country() -> None:
    for email in (
        render_email("confirmation", ORDER, LINKS, "https://shop"),
        render_email("shipped", ORDER, LINKS, "https://shop"),
    ):
        assert "Canada" in email.text
        assert "<br>Canada</p>" in email.html


@pytest.mark.parametrize(
    ("kind", "subject", "title", "text"),
    [
        (
            "cancelled",
            "Your Teesmith order #6ABCDE is cancelled",
            "Your order #6ABCDE is cancelled",
            CANCELLED,
        ),
        ("refunded", "Your refund for Teesmith order #6ABCDE", "Your refund for order #6ABCDE", REFUNDED),
        (
            "problem",
            "Your Teesmith order #6ABCDE takes a little longer",
            "Your order #6ABCDE takes a little longer",
            PROBLEM,
        ),
    ],
)
def test_short_email_says_the_same_in_text_and_html(
    kind: EmailKind, subject: str, title: str, text: str
) -> None:
    email = render_email(kind, replace(ORDER, refunded_cents=4570), LINKS, "https://shop")
    assert (email.to, email.subject, email.text) == ("ann@example.com", subject, text)
    assert f"<title>{title}</title>" in email.html
    # "Hello Ann," and the sentence after it are one paragraph there
    for paragraph in text.replace("Hello Ann,\n\n", "Hello Ann, ").split("\n\n")[:-3]:
        assert f">{paragraph}</p>" in email.html
    links = re.findall(r'<a [^>]*href="([^"]+)"', email.html)
    assert links == [TRACK, f"https://shop/order-details/{ORDER.id}", SUPPORT]


@pytest.mark.parametrize(
    ("money", "sentence"),
    [
        ({"lost_cents": 4570, "refunded_cents": 4570}, "Your bank has returned $45.70 to you already."),
        (
            {"is_held": True},
            "Your bank has asked about this payment: your money comes back once that is settled.",
        ),
    ],
)
def test_cancellation_of_a_disputed_payment_claims_no_refund_of_ours(
    money: dict[str, Any], sentence: str
) -> None:
    email = render_email("cancelled", replace(ORDER, **money), LINKS, "https://shop")
    assert f"\n\n{sentence}\n\n" in email.text
    assert f">{sentence}</p>" in email.html
    assert "We return" not in email.text + email.html


def test_refund_mail_names_no_money_of_a_lost_dispute() -> None:
    order = replace(ORDER, refunded_cents=4570, lost_cents=570)
    assert "we have returned $40.00" in render_email("refunded", order, LINKS, "https://shop").text


def test_admin_alert_escapes_what_the_vendor_said_in_html_alone() -> None:
    email = admin_alert(ORDER, "boss@example.com", "print_failed", "Printify <400> & more", "https://shop")
    assert email.subject == "Teesmith order #6ABCDE needs a person: the printer does not take it"
    assert email.text == (
        f"Order #6ABCDE ({ORDER.id}) needs a person: the printer does not take it.\n\n"
        "Status: paid, total: $45.70, payment: pi, print order: po.\n\n"
        "Printify <400> & more\n\n"
        "Admin panel: https://shop/admin?tab=orders"
    )
    assert ">Printify &lt;400&gt; &amp; more</p>" in email.html
    assert "<400>" not in email.html


@pytest.mark.parametrize("kind", get_args(EmailKind))
def test_mail_to_a_shopper_names_support_and_one_to_the_admin_does_not(kind: EmailKind) -> None:
    email = render_email(kind, ORDER, LINKS, "https://shop")
    assert email.reply_to == "support@teesmith.example"
    assert "\n\nQuestions? Answer this mail, or write to support@teesmith.example.\n\n" in email.text
    alert = admin_alert(ORDER, "boss@example.com", "print_failed", "", "https://shop")
    assert (alert.reply_to, SUPPORT in alert.html) == ("", False)


def test_template_with_an_unknown_name_is_an_error() -> None:
    template = TEMPLATES.from_string("Hello {{ order.adress }}")
    with pytest.raises(UndefinedError, match="has no attribute 'adress'"):
        template.render(order=ORDER)


def test_every_template_belongs_to_an_email() -> None:
    pairs = {*get_args(EmailKind), "admin_alert", "payment_alert", "total_alert"}
    pairs |= {"design_taken_down", "design_restored", "design_reported"}
    expected = {f"{name}.{ending}" for name in pairs for ending in ("html", "txt")}
    assert set(TEMPLATES.list_templates()) == expected | {"page.html", "parts.html"}


def test_emails_have_the_frame_of_the_sign_in_mails() -> None:
    """One look for all mails: what lies around the texts is the same to the letter."""
    ours = _frame(render_email("confirmation", ORDER, LINKS, "https://shop").html)
    templates = sorted((ROOT / "supabase" / "templates").glob("*.html"))
    assert len(templates) == 5
    for template in templates:
        assert _frame(template.read_text(encoding="utf-8")) == ours, template.name


def _frame(html: str) -> str:
    """A mail without its title, the contents of its sheet and its last line."""
    bare = re.sub(r"<title>.*?</title>", "", html)
    bare = re.sub(
        r'(<td class="sheet"[^>]*>).*?(</td></tr>\n<tr><td class="soft")', r"\1\2", bare, flags=re.DOTALL
    )
    return re.sub(r'(<tr><td class="soft"[^>]*>).*?</td>', r"\1</td>", bare, flags=re.DOTALL)
