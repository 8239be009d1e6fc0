"""Settings: real vendors by default, and every missing name in one report."""

import pytest
from _shared.core.settings import MissingSettingsError, read_settings

STRIPE = {"SUPABASE_URL": "http://api/", "SUPABASE_SERVICE_ROLE_KEY": "key", "STRIPE_SECRET_KEY": "sk"}


def test_all_missing_names_are_reported_together() -> None:
    with pytest.raises(MissingSettingsError) as caught:
        read_settings({"SUPABASE_URL": "http://api"}, ["supabase", "stripe", "mail"])
    assert caught.value.names == ("SUPABASE_SERVICE_ROLE_KEY", "STRIPE_SECRET_KEY", "SMTP_HOST")
    assert str(caught.value) == (
        "not set in the environment: SUPABASE_SERVICE_ROLE_KEY, STRIPE_SECRET_KEY, SMTP_HOST"
    )


def test_function_needs_only_the_groups_it_names() -> None:
    assert read_settings({}, []).zippopotam_api_base == "https://api.zippopotam.us"


def test_vendor_addresses_default_to_the_real_ones() -> None:
    settings = read_settings(STRIPE, ["supabase", "stripe"])
    assert (settings.stripe_api_base, settings.printify_api_base, settings.replicate_base_url) == (
        "https://api.stripe.com",
        "https://api.printify.com",
        "https://api.replicate.com",
    )
    arguments = read_settings(STRIPE | {"STRIPE_API_BASE": "http://127.0.0.1:54330/stripe/"}, ["stripe"])
    assert arguments.stripe_api_base == "http://127.0.0.1:54330/stripe"


def test_empty_name_counts_as_missing() -> None:
    with pytest.raises(MissingSettingsError):
        read_settings(STRIPE | {"STRIPE_SECRET_KEY": ""}, ["stripe"])
