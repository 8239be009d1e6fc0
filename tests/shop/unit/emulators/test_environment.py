"""The emulated vendors, and the addresses that the shop is pointed at."""

from __future__ import annotations

from pathlib import Path

import pytest

from emulators.core.environment import VENDORS, emulated_vendors, read_dotenv, vendor_variables
from emulators.core.settings import SettingsError, read_settings

ALL = {vendor.name for vendor in VENDORS}


def names(environ: dict[str, str], dotenv: dict[str, str]) -> set[str]:
    return {vendor.name for vendor in emulated_vendors(environ, dotenv)}


def test_vendors_without_keys_are_emulated() -> None:
    assert names({}, {}) == ALL
    values = vendor_variables({}, {})
    assert values["STRIPE_API_BASE"] == "http://127.0.0.1:54330/stripe"
    assert values["STRIPE_JS_URL"] == "http://127.0.0.1:54330/stripe/js/v3"
    assert values["PRINTIFY_SHOP_ID"] == "1"


@pytest.mark.parametrize(
    ("key", "vendor"),
    [
        ("STRIPE_SECRET_KEY", "stripe"),
        ("PRINTIFY_API_TOKEN", "printify"),
        ("REPLICATE_API_TOKEN", "replicate"),
        ("ZIPPOPOTAM_API_BASE", "zippopotam"),
    ],
)
def test_vendor_with_a_real_key_is_not_emulated(key: str, vendor: str) -> None:
    assert names({key: "real"}, {}) == ALL - {vendor}
    assert names({}, {key: "real"}) == ALL - {vendor}
    assert key not in vendor_variables({}, {key: "real"})


def test_emulators_own_keys_are_not_taken_for_real_ones() -> None:
    variables = vendor_variables({"EMULATORS_PORT": "55330"}, {})
    assert names({**variables, "EMULATORS_PORT": "55330"}, {}) == ALL
    assert variables["REPLICATE_BASE_URL"] == "http://127.0.0.1:55330/replicate"
    assert (
        vendor_variables({}, {"EMULATORS_PORT": "55331"})["PRINTIFY_API_BASE"]
        == "http://127.0.0.1:55331/printify"
    )


def test_dotenv_file_is_read_with_quotes_and_comments(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("# keys\nA=1\nexport B='two words'\nC=\"x # y\"\nD=4 # four\nEMPTY=\nnonsense\n")
    assert read_dotenv(file) == {"A": "1", "B": "two words", "C": "x # y", "D": "4"}
    assert read_dotenv(tmp_path / "none") == {}


def test_invalid_settings_are_named() -> None:
    with pytest.raises(SettingsError, match="EMULATORS_PORT"):
        read_settings({"EMULATORS_PORT": "many"}, {})
    with pytest.raises(SettingsError, match="EMULATORS_SPEED"):
        read_settings({"EMULATORS_SPEED": "0"}, {})
    settings = read_settings(
        {"LOCALBASE_DATA": "/data", "EMULATORS_PORT": "1"}, {"STRIPE_SECRET_KEY": "sk_live_x"}
    )
    assert (settings.data, settings.base_url) == (Path("/data/emulators"), "http://127.0.0.1:1")
    assert set(settings.vendors) == ALL - {"stripe"}
