"""The owner's settings in functions and mails."""

from __future__ import annotations

from pathlib import Path

from _shared.core.owner_settings import (
    Delivery,
    OwnerSettings,
    Policies,
    Prices,
    StorageTimes,
    owner_settings,
    read_owner_settings,
)


def test_owner_settings_are_those_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "shop.toml"
    file.write_text(
        '[shop]\nsupport_email = "help@shop.example"\n'
        "[prices]\nshirt_cents = 1\nshipping_cents = 2\n"
        'free_shipping_countries = ["CH", "LI"]\nmost_per_size = 3\n'
        '[delivery]\nhome_country = "CH"\nhome = "a day"\nabroad = "a week"\n'
        '[policies]\nrefund_time = "an hour"\n[storage]\nunordered_print_file_days = 7\n',
        encoding="utf-8",
    )
    assert read_owner_settings(file) == OwnerSettings(
        "help@shop.example",
        Prices(
            shirt_cents=1,
            second_side_cents=0,
            shipping_cents=2,
            free_shipping_countries=("CH", "LI"),
            most_per_size=3,
        ),
        Delivery("CH", "a day", "a week"),
        Policies("an hour"),
        StorageTimes(7, 90),
    )


def test_owner_settings_come_with_the_specifications_estimates() -> None:
    settings = owner_settings()
    assert settings.support_email == "support@teesmith.example"
    assert (settings.delivery.home, settings.delivery.abroad) == ("3-7 business days", "10-30 business days")
    assert settings.prices == Prices(1990, 0, 590, ("US",), 10)
    assert settings.policies.refund_time == "5-7 business days"
