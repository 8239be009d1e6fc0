"""Letters: the whole order in text and HTML, and nobody's name as markup."""

from dataclasses import replace

from _shared.letters import confirmation, parcel_notice

from tests.unit.functions.samples import ORDER


def test_a_confirmation_tells_the_whole_order() -> None:
    letter = confirmation(ORDER, "https://shop")
    assert (letter.to, letter.subject) == ("ann@example.com", "Your Teesmith order #6ABCDE is confirmed")
    for part in (
        "2 x Cat & <b>dog</b>, Black, M: $39.80",
        "Shipping: $5.90",
        "Total: $45.70",
        "Delivery: 10-30 business days",
        "Toronto ON M5H 1A1",
        f"https://shop/order-details/{ORDER.id}",
    ):
        assert part in letter.text


def test_a_design_name_is_never_markup() -> None:
    html = confirmation(ORDER, "https://shop").html
    assert "Cat &amp; &lt;b&gt;dog&lt;/b&gt;" in html
    assert "<b>dog</b>" not in html


def test_shipping_at_home_reads_free() -> None:
    home = replace(ORDER, shipping_cents=0, address=ORDER.address.model_copy(update={"country": "US"}))
    assert "Shipping: Free" in confirmation(home, "https://shop").text


def test_a_parcel_notice_carries_the_tracking() -> None:
    shipped = replace(ORDER, carrier="USPS", tracking_number="940011", tracking_url="https://track/940011")
    letter = parcel_notice(shipped, "https://shop")
    assert "has been shipped with USPS 940011" in letter.text
    assert 'href="https://track/940011"' in letter.html
    assert f"https://shop/order-details/{ORDER.id}" in parcel_notice(ORDER, "https://shop").text
