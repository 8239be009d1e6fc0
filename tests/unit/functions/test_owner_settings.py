"""The owner's settings in functions and mails."""

from __future__ import annotations

from pathlib import Path

from _shared.core.owner_settings import Delivery, OwnerSettings, Policies, owner_settings, read_owner_settings


def test_owner_settings_are_those_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "shop.toml"
    file.write_text(
        '[delivery]\nhome = "a day"\nabroad = "a week"\n[policies]\nrefund_time = "an hour"\n',
        encoding="utf-8",
    )
    assert read_owner_settings(file) == OwnerSettings(Delivery("a day", "a week"), Policies("an hour"))


def test_owner_settings_come_with_the_specifications_estimates() -> None:
    settings = owner_settings()
    assert (settings.delivery.home, settings.delivery.abroad) == ("3-7 business days", "10-30 business days")
    assert settings.policies.refund_time == "5-7 business days"
