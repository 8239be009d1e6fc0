"""A sign-up with the address of an account that nobody has confirmed: as upstream, it shows no right to it."""

from __future__ import annotations

from functools import partial

import httpx

from tests.localbase.integration.auth.calls import as_admin, call
from tests.localbase.integration.small_project import until
from tests.support.mailbox import find_mails, link_in
from tests.support.stacks import Stack

FIRST, SECOND = "the first password", "the second password"


def _has_mails(stack: Stack, email: str, count: int) -> bool:
    return len(find_mails(stack, email)) == count


def test_password_of_the_first_sign_up_stays_after_another_follows_the_link(
    auth: Stack, confirming: Stack, email: str
) -> None:
    for count, password in enumerate((FIRST, SECOND), 1):
        response = call(confirming, "POST", "/signup", json={"email": email, "password": password})
        assert response.status_code == 200, response.text
        assert until(partial(_has_mails, auth, email, count))
    # the first link is void
    for mail in find_mails(auth, email):
        assert httpx.get(link_in(mail)).status_code == 303
    statuses = [
        call(confirming, "POST", "/token?grant_type=password", json={"email": email, "password": password})
        for password in (FIRST, SECOND)
    ]
    assert [response.status_code for response in statuses] == [200, 400]


def test_unconfirmed_account_is_whose_sign_up_comes_where_no_confirmation_is_wanted(
    auth: Stack, email: str
) -> None:
    user = as_admin(auth, "POST", "/admin/users", json={"email": email, "app_metadata": {"plan": "gold"}})
    response = call(auth, "POST", "/signup", json={"email": email, "password": SECOND})
    assert (response.status_code, response.json()["user"]["id"]) == (200, user.json()["id"])
    assert response.json()["user"]["app_metadata"]["plan"] == "gold"
