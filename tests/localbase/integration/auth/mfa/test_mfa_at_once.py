"""Requests about sessions and second factors that arrive together."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import httpx

from tests.localbase.integration.auth.calls import call, execute, new_session, refresh, sign_in
from tests.localbase.integration.auth.own_service import MovableClock, own_service
from tests.localbase.integration.auth.webauthn.authenticator import (
    App,
    challenge,
    enroll,
    unenroll,
    verified_app,
    verify,
)
from tests.support.stacks import Stack


def at_once(calls: Sequence[Callable[[], httpx.Response]]) -> list[httpx.Response]:
    """The responses to requests that are under way together."""
    with ThreadPoolExecutor(len(calls)) as pool:
        return [running.result() for running in [pool.submit(each) for each in calls]]


def test_same_code_in_many_requests_raises_one_session(auth: Stack, email: str) -> None:
    clock = MovableClock()
    with own_service(auth, clock) as stack:
        factor_id, app, _ = verified_app(stack, clock, new_session(stack, email))
        session = sign_in(stack, email)
        code = app.code()
        challenges = [challenge(stack, session, factor_id).json()["id"] for _ in range(10)]
        responses = at_once(
            [partial(verify, stack, session, factor_id, challenge_id=each, code=code) for each in challenges]
        )
        assert sorted(response.status_code for response in responses) == [200] + [422] * 9


def test_wrong_codes_in_many_requests_are_all_counted(auth: Stack, email: str) -> None:
    clock = MovableClock()
    with own_service(auth, clock) as stack:
        session = new_session(stack, email)
        factor = enroll(stack, session).json()
        challenge_id = challenge(stack, session, factor["id"]).json()["id"]
        wrong = App(factor["totp"]["secret"], clock).wrong()
        responses = at_once(
            [
                lambda: verify(stack, session, factor["id"], challenge_id=challenge_id, code=wrong)
                for _ in range(40)
            ]
        )
        assert sorted(response.status_code for response in responses) == [422] * 15 + [429] * 25


def test_enrolments_at_once_stay_within_the_limit(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    responses = at_once([partial(enroll, auth, session, friendly_name=str(number)) for number in range(20)])
    assert sorted(response.status_code for response in responses) == [200] * 10 + [422] * 10


def test_refresh_proof_and_sign_out_at_once_never_fail(auth: Stack, email: str) -> None:
    clock = MovableClock()
    with own_service(auth, clock) as stack:
        factor_id, app, _ = verified_app(stack, clock, new_session(stack, email))
        for _ in range(5):
            sessions = [sign_in(stack, email) for _ in range(4)]
            challenge_id = challenge(stack, sessions[0], factor_id).json()["id"]
            proof = {"challenge_id": challenge_id, "code": app.code()}
            responses = at_once(
                [
                    partial(verify, stack, sessions[0], factor_id, **proof),
                    *[partial(refresh, stack, each["refresh_token"]) for each in sessions],
                    *[
                        partial(call, stack, "POST", "/logout?scope=others", each["access_token"])
                        for each in sessions
                    ],
                    partial(unenroll, stack, sessions[3], str(uuid.uuid4())),
                ]
            )
            # The losers get an error of their own: no request fails on a lock.
            assert {response.status_code for response in responses} <= {200, 204, 400, 403, 404, 422}
        left = execute(
            auth,
            """
            select count(*) from auth.refresh_tokens as token join auth.sessions as session on session.id = session_id
            where session.user_id = (select id from auth.users where email = %s) and not revoked
            group by session_id having count(*) > 1
            """,
            email,
        )
        assert left == []
