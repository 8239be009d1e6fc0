"""A change of the e-mail address: by links and by codes, doubly confirmed or once, and its notices."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from localbase.core.auth_settings import EmailSettings, Notification, Seconds

from supabase import create_client
from tests.localbase.integration.auth.calls import (
    EXPIRED_LINK,
    audited,
    call,
    execute,
    failure,
    new_session,
    verify,
)
from tests.localbase.integration.auth.messages.mails import code_in, follow, fragment_of, no_mail, query_of
from tests.localbase.integration.auth.own_service import own_service
from tests.localbase.integration.small_project import until
from tests.support.mailbox import find_mails, wait_for_mail
from tests.support.stacks import Stack

MAILS = EmailSettings(enable_confirmations=True, max_frequency=Seconds(0.001))
SUBJECT = "Confirm your new email"
HALF_DONE = "Confirmation link accepted. Please proceed to confirm link sent to the other email"


def request_change(stack: Stack, session: dict[str, Any], email: str, **body: str) -> dict[str, Any]:
    response = call(stack, "PUT", "/user", session["access_token"], json={"email": email} | body)
    assert response.status_code == 200, response.text
    return dict(response.json())


def mail_to(stack: Stack, email: str) -> dict[str, Any]:
    """The mail to exactly this address: the mailbox's search finds longer ones too."""
    assert until(lambda: bool(_mails_to(stack, email)))
    return _mails_to(stack, email)[0]


def _mails_to(stack: Stack, email: str) -> list[dict[str, Any]]:
    return [mail for mail in find_mails(stack, email, SUBJECT) if mail["To"][0]["Address"] == email]


def test_both_addresses_confirm_by_their_links(auth: Stack, confirming: Stack, email: str) -> None:
    session, new = new_session(auth, email), f"new-{email}"
    user = request_change(confirming, session, new)
    assert (user["email"], user["new_email"]) == (email, new)
    assert user["email_change_sent_at"]
    first, second = wait_for_mail(auth, new, SUBJECT), mail_to(auth, email)
    assert query_of(first)["type"] == query_of(second)["type"] == "email_change"
    assert fragment_of(follow(confirming, first)) == {"message": HALF_DONE}
    assert fragment_of(follow(confirming, first))["error_code"] == "otp_expired"
    done = fragment_of(follow(confirming, second))
    assert done["type"] == "email_change"
    changed = call(confirming, "GET", "/user", done["access_token"]).json()
    assert changed["email"] == new
    assert "new_email" not in changed
    assert [(one["provider"], one["email"]) for one in changed["identities"]] == [("email", new)]
    assert changed["identities"][0]["identity_data"]["email_verified"] is True
    assert ("user_modified", None) in audited(auth, user["id"])


def test_both_addresses_confirm_by_their_codes(auth: Stack, confirming: Stack, email: str) -> None:
    session, new = new_session(auth, email), f"new-{email}"
    request_change(confirming, session, new)
    half = verify(confirming, type="email_change", email=new, token=code_in(mail_to(auth, new)))
    assert (half.status_code, half.json()) == (200, {"msg": HALF_DONE, "code": "200"})
    done = verify(confirming, type="email_change", email=email, token=code_in(mail_to(auth, email)))
    assert (done.status_code, done.json()["user"]["email"]) == (200, new)


def test_link_of_a_change_is_good_by_its_hash(auth: Stack, confirming: Stack, email: str) -> None:
    session, new = new_session(auth, email), f"new-{email}"
    request_change(confirming, session, new)
    token_hash = query_of(wait_for_mail(auth, new, SUBJECT))["token"]
    half = verify(confirming, type="email_change", token_hash=token_hash)
    assert half.json() == {"msg": HALF_DONE, "code": "200"}
    assert failure(verify(confirming, type="email_change", token_hash=token_hash)) == EXPIRED_LINK


def test_change_in_the_pkce_flow_ends_with_a_code(auth: Stack, confirming: Stack, email: str) -> None:
    session, new = new_session(auth, email), f"new-{email}"
    challenge = {"code_challenge": "c" * 43, "code_challenge_method": "plain"}
    request_change(confirming, session, new, **challenge)
    first = wait_for_mail(auth, new, SUBJECT)
    half = urlsplit(follow(confirming, first))
    assert dict(parse_qsl(half.query)) == {"message": HALF_DONE}
    code = dict(parse_qsl(urlsplit(follow(confirming, mail_to(auth, email))).query))["code"]
    grant = {"auth_code": code, "code_verifier": "c" * 43}
    response = call(confirming, "POST", "/token?grant_type=pkce", json=grant)
    assert (response.status_code, response.json()["user"]["email"]) == (200, new)


def test_once_is_enough_where_the_project_says_so(auth: Stack, email: str) -> None:
    session, new = new_session(auth, email), f"new-{email}"
    with own_service(auth, email=replace(MAILS, double_confirm_changes=False)) as running:
        request_change(running, session, new)
        done = fragment_of(follow(running, wait_for_mail(auth, new, SUBJECT)))
        assert call(running, "GET", "/user", done["access_token"]).json()["email"] == new


def test_second_request_begins_the_change_anew(auth: Stack, confirming: Stack, email: str) -> None:
    session = new_session(auth, email)
    request_change(confirming, session, f"first-{email}")
    first = wait_for_mail(auth, f"first-{email}", SUBJECT)
    assert fragment_of(follow(confirming, first)) == {"message": HALF_DONE}
    user = request_change(confirming, session, f"second-{email}")
    assert user["new_email"] == f"second-{email}"
    second = wait_for_mail(auth, f"second-{email}", SUBJECT)
    assert fragment_of(follow(confirming, second)) == {"message": HALF_DONE}


def test_change_is_sent_again(auth: Stack, confirming: Stack, email: str) -> None:
    session, new = new_session(auth, email), f"new-{email}"
    request_change(confirming, session, new)
    old = query_of(wait_for_mail(auth, new, SUBJECT))["token"]
    body = {"type": "email_change", "email": email}
    response = call(confirming, "POST", "/resend", json=body)
    assert (response.status_code, response.json()) == (200, {})
    assert failure(verify(confirming, type="email_change", token_hash=old)) == EXPIRED_LINK


def test_taken_address_is_refused(auth: Stack, confirming: Stack, email: str) -> None:
    new_session(auth, f"taken-{email}")
    session = new_session(auth, email)
    refused = call(confirming, "PUT", "/user", session["access_token"], json={"email": f"Taken-{email}"})
    text = "A user with this email address has already been registered"
    assert failure(refused) == (422, "email_exists", text)


def test_address_taken_meanwhile_is_refused_at_the_last_click(
    auth: Stack, confirming: Stack, email: str
) -> None:
    session, new = new_session(auth, email), f"new-{email}"
    request_change(confirming, session, new)
    first = wait_for_mail(auth, new, SUBJECT)
    follow(confirming, first)
    new_session(auth, new)
    assert fragment_of(follow(confirming, mail_to(auth, email)))["error_code"] == "email_exists"


def test_old_address_gets_a_notice_of_the_change(auth: Stack, email: str) -> None:
    session, new = new_session(auth, email), f"new-{email}"
    notifications = {"email_changed": Notification(enabled=True, subject="Moved to {{ .Email }}")}
    settings = replace(MAILS, double_confirm_changes=False, notification=notifications)
    with own_service(auth, email=settings) as running:
        request_change(running, session, new)
        follow(running, wait_for_mail(auth, new, SUBJECT))
    notice = wait_for_mail(auth, email, "Moved")
    assert notice["Subject"] == f"Moved to {new}"
    assert f"from {email} to {new}" in notice["Text"]


def test_anonymous_user_adds_an_address(auth: Stack, email: str) -> None:
    session = new_session(auth, f"old-{email}")
    user_id = session["user"]["id"]
    execute(auth, "delete from auth.identities where user_id = %s", user_id)
    execute(auth, "update auth.users set email = null, is_anonymous = true where id = %s", user_id)
    user = request_change(auth, session, email)
    assert (user["email"], user["is_anonymous"]) == (email, False)
    assert user["app_metadata"] == {"provider": "email", "providers": ["email"]}
    assert no_mail(auth, email)


def test_official_client_changes_the_address(auth: Stack, email: str) -> None:
    new_session(auth, email)
    client = create_client(auth.api_url, auth.publishable_key)
    client.auth.sign_in_with_password({"email": email, "password": "correct horse"})
    assert client.auth.update_user({"email": f"new-{email}"}).user.new_email == f"new-{email}"
    code = code_in(wait_for_mail(auth, f"new-{email}", SUBJECT))
    # Without confirmations at sign-up one half is enough, as upstream has it.
    response = client.auth.verify_otp({"email": f"new-{email}", "token": code, "type": "email_change"})
    assert response.user is not None
    assert response.user.email == f"new-{email}"


@pytest.mark.parametrize("field", ["email", "phone"])
def test_unusable_addresses_are_refused(auth: Stack, email: str, field: str) -> None:
    session = new_session(auth, email)
    refused = call(auth, "PUT", "/user", session["access_token"], json={field: "nowhere"})
    assert refused.status_code == 400
    assert refused.json()["error_code"] == "validation_failed"
