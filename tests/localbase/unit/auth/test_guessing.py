"""The chance to find a six-digit code in an hour, computed from the limits that the code itself has."""

from __future__ import annotations

import pytest
from localbase.auth.codes import one_time_tokens
from localbase.auth.limits import rates_of
from localbase.auth.mfa import totp
from localbase.auth.mfa import verify as mfa_verify
from localbase.auth.sign_in import verify
from localbase.core.auth_settings import AuthSettings, RateLimits

_HOUR = 3600
_ALLOWED = 0.001
# A count begins with its first wrong try and ends an hour later: two of them touch any hour.
_COUNTS_IN_AN_HOUR = 2
_ADDRESSES = 1_000_000


def possible_codes() -> int:
    settings = AuthSettings()
    assert settings.email.otp_length == settings.mfa.phone.otp_length == 6
    return 1_000_000


def calls_in_an_hour(limit: str) -> float:
    """Return what one network address may do, which begins with a full bucket."""
    rates = {str(name): rate for name, rate in rates_of(RateLimits()).items()}
    return rates[limit].burst + rates[limit].events * _HOUR / rates[limit].seconds


def chance(tries: float, good_codes: int) -> float:
    """At most: each try meets so many good codes, and no try excludes a code that is made anew."""
    return tries * good_codes / possible_codes()


def codes_for_one_try() -> int:
    types = [*verify._TYPES.values(), *verify._PHONE_TYPES.values()]
    return max(len(each) for each in types)


@pytest.mark.parametrize("addresses", [1, _ADDRESSES])
def test_code_of_a_mail_or_sms_is_not_found_in_an_hour(addresses: int) -> None:
    of_the_callers = calls_in_an_hour("verify") * addresses
    of_the_account = one_time_tokens._TRIES_OF_AN_ADDRESS * _COUNTS_IN_AN_HOUR * _HOUR / one_time_tokens._HOUR
    assert 0 < chance(min(of_the_callers, of_the_account), codes_for_one_try()) <= _ALLOWED


def test_single_code_is_not_found_before_it_dies() -> None:
    assert 0 < chance(one_time_tokens._TRIES_OF_A_CODE, 1) <= _ALLOWED / 10


def test_code_of_a_second_factor_is_not_found_in_an_hour() -> None:
    # The code of the present step, and of those beside it.
    good = 2 * totp._SKEW + 1
    tries = mfa_verify._IN_HOUR * _COUNTS_IN_AN_HOUR * _HOUR / mfa_verify._HOUR.total_seconds()
    assert 0 < chance(tries, good) <= _ALLOWED


def test_limits_of_addresses_alone_would_not_be_enough() -> None:
    # Why codes and accounts have limits of their own: strangers have many addresses.
    assert chance(calls_in_an_hour("verify") * 100, 1) > _ALLOWED
