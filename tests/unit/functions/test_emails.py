"""Letters: the whole order in text and HTML, and nobody's name as markup."""

import re
from dataclasses import replace
from pathlib import Path

from _shared.orders.emails import confirmation, shipping_notice

from tests.unit.functions.samples import ORDER


def test_a_confirmation_tells_the_whole_order() -> None:
    email = confirmation(ORDER, "https://shop")
    assert (email.to, email.subject) == ("ann@example.com", "Your Teesmith order #6ABCDE is confirmed")
    for part in (
        "2 x Cat & <b>dog</b>, Black, M: $39.80",
        "Shipping: $5.90",
        "Total: $45.70",
        "Delivery: 10-30 business days",
        "Toronto ON M5H 1A1\n  Canada\n",
        f"https://shop/order-details/{ORDER.id}",
    ):
        assert part in email.text


def test_a_design_name_is_never_markup() -> None:
    html = confirmation(ORDER, "https://shop").html
    assert "Cat &amp; &lt;b&gt;dog&lt;/b&gt;" in html
    assert "<b>dog</b>" not in html


def test_shipping_at_home_reads_free() -> None:
    home = replace(ORDER, shipping_cents=0, address=ORDER.address.model_copy(update={"country": "US"}))
    assert "Shipping: Free" in confirmation(home, "https://shop").text


def test_a_parcel_notice_carries_the_tracking() -> None:
    shipped = replace(ORDER, carrier="USPS", tracking_number="940011", tracking_url="https://track/940011")
    email = shipping_notice(shipped, "https://shop")
    assert "has been shipped with USPS 940011" in email.text
    assert 'href="https://track/940011"' in email.html
    assert f"https://shop/order-details/{ORDER.id}" in shipping_notice(ORDER, "https://shop").text


def test_a_country_is_written_as_its_name_in_text_and_html() -> None:
    for email in (confirmation(ORDER, "https://shop"), shipping_notice(ORDER, "https://shop")):
        assert "Canada" in email.text
        assert "<br>Canada</p>" in email.html


def test_letters_have_the_frame_of_the_sign_in_mails() -> None:
    """One look for all mails: what lies around the texts is the same to the letter."""
    ours = _frame(confirmation(ORDER, "https://shop").html)
    templates = sorted((Path(__file__).resolve().parents[3] / "supabase" / "templates").glob("*.html"))
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
