"""Callers: users by their token, admins by their profile, the service by its key."""

import pytest
from _shared.core.callers import Account, Caller, CallerKind, Callers, may_open_admin
from _shared.core.errors import ShopError
from _shared.core.settings import read_settings

from tests.shop.unit.functions.fakes import FakeDatabase

SERVICE, SECRET = "service-jwt", "sb_secret_key"


class Tokens:
    """GoTrue with two sessions."""

    def of_token(self, token: str) -> Account:
        if token not in ("ann-token", "ada-token"):
            raise ShopError(401, "unauthenticated", "Please sign in again.")
        name = token.partition("-")[0]
        return Account(id=name, email=f"{name}@example.com")


@pytest.fixture
def callers() -> Callers:
    data = FakeDatabase(profiles=[{"id": "ann", "is_admin": False}, {"id": "ada", "is_admin": True}])
    return Callers(Tokens(), data, (SERVICE, SECRET, ""))


def error_of(callers: Callers, authorization: str, kind: CallerKind) -> tuple[int, str]:
    with pytest.raises(ShopError) as caught:
        callers.identify(authorization, kind)
    return caught.value.status, caught.value.code


def test_user_token_identifies_the_user(callers: Callers) -> None:
    assert callers.identify("Bearer ann-token", "user") == Caller("ann", "ann@example.com")
    assert callers.identify("bearer ada-token", "admin") == Caller("ada", "ada@example.com", is_admin=True)


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic ann-token", "Bearer forged"])
def test_missing_or_bad_token_is_unauthenticated(callers: Callers, header: str) -> None:
    assert error_of(callers, header, "user") == (401, "unauthenticated")


def test_admin_function_rejects_other_users(callers: Callers) -> None:
    assert error_of(callers, "Bearer ann-token", "admin") == (403, "forbidden")


def test_either_service_key_identifies_the_service(callers: Callers) -> None:
    for key in (SERVICE, SECRET):
        assert callers.identify(f"Bearer {key}", "admin") == Caller(is_service=True)


def test_unset_service_key_matches_no_token(callers: Callers) -> None:
    assert error_of(callers, "Bearer  ", "admin") == (401, "unauthenticated")


def test_service_has_no_account(callers: Callers) -> None:
    with pytest.raises(ShopError) as caught:
        callers.person(Caller(is_service=True))
    assert (caught.value.status, caught.value.code) == (403, "forbidden")


def test_order_is_visible_to_owner_admin_and_service_alone() -> None:
    assert Caller("ann").may_see("ann")
    assert not Caller("bob").may_see("ann")
    assert not Caller().may_see("")
    assert Caller("ada", is_admin=True).may_see("ann")
    assert Caller(is_service=True).may_see("ann")


@pytest.mark.parametrize(
    ("caller", "allowed"),
    [
        (Caller("ada", "ada@example.com", is_admin=True), True),
        (Caller("bob", "Bob@Example.com"), True),
        (Caller("ann", "ann@example.com"), False),
        (Caller("eve", ""), False),
    ],
)
def test_admin_page_opens_by_flag_or_by_address(caller: Caller, allowed: bool) -> None:
    settings = read_settings({"ADMIN_EMAILS": " bob@example.COM,, carl@example.com "}, [])
    assert may_open_admin(caller, settings.admin_emails) is allowed


def test_without_a_list_only_the_flag_opens_the_admin_page() -> None:
    unlisted = read_settings({}, []).admin_emails
    assert not may_open_admin(Caller("eve", ""), unlisted)
    assert may_open_admin(Caller("ada", "", is_admin=True), unlisted)
